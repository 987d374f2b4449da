// The exit codes of all commands, for scripts. docs/reference/cli.md has the same table. Constants.
#pragma once

namespace semel::cli {

inline constexpr int kOk = 0;
inline constexpr int kRefused = 1;  // the request was understood and refused
inline constexpr int kUsage = 2;    // wrong arguments or configuration, also if the server finds it
inline constexpr int kUnavailable = 3;  // no server, or a store that cannot be opened
inline constexpr int kNotFound = 4;
inline constexpr int kConflict = 5;
inline constexpr int kNothingToDo = 6;  // done already, or out of date

}  // namespace semel::cli
