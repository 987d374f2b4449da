// The check of options that take a whole number.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace semel::cli {

// For CLI::Option::check: nothing if the text is such a number, else what would be right.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number(std::int64_t min,
                                                                          std::int64_t max);

}  // namespace semel::cli
