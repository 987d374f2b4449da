// What a script can tell from how a command ended. docs/reference/cli.md has the same table.
#pragma once

namespace semel::cli {

enum ExitCode : int {
    kOk = 0,
    kRefused = 1,      // the request was understood and refused
    kUsage = 2,        // wrong arguments or configuration
    kUnavailable = 3,  // no server, or a store that cannot be opened
    kNotFound = 4,
    kConflict = 5,
};

}  // namespace semel::cli
