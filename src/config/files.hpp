// Whole files as text.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel {

// "-" is the standard input. Larger than `bytes_max` is an error that says so.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace semel
