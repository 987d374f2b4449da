// The standard descriptors 0, 1 and 2, as everything else here takes them for granted.
#pragma once

namespace semel::cli {

// Opens /dev/null for each that the caller has closed. Before the first file is opened: a store
// that got one of their numbers would take what is printed as its own bytes.
void open_missing_standard_descriptors();

}  // namespace semel::cli
