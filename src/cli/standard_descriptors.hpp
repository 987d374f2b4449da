// Makes sure that the standard descriptors 0, 1 and 2 are open, as all other code expects. Main
// thread, at the start.
#pragma once

namespace semel::cli {

// Opens /dev/null for each descriptor that the parent process has closed. Call it before any file
// is opened: otherwise a store could get one of these numbers, and printed text would overwrite it.
void open_missing_standard_descriptors();

}  // namespace semel::cli
