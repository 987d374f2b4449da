// Reads whole files. Threads: any.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel {

// Returns the file's bytes; "-" is the standard input. Blocks.
// Errors: `not_found`, `io_error`, or `invalid` if there are more than `bytes_max` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace semel
