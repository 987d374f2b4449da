// Parses and formats durations: a whole number and one unit, like 500ms, 15s, 15m, 24h or 14d.
// Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace semel {

// Errors: `invalid` for another form, or above 36600d (a century).
[[nodiscard]] Result<Millis> parse_duration(std::string_view text);

// Returns the duration in the largest unit that is exact: 900000 ms is 15m.
[[nodiscard]] std::string format_duration(Millis duration);

}  // namespace semel
