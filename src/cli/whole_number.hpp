// Checks options whose value is a whole number. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace semel::cli {

// Returns a function for CLI::Option::check: it returns "" for a whole number from `min` to `max`,
// otherwise the error text.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number(std::int64_t min,
                                                                          std::int64_t max);

}  // namespace semel::cli
