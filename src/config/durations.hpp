// Durations as people write them: a whole number and one unit. 500ms, 15s, 15m, 24h, 14d.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace semel {

// The longest that is accepted: a century.
[[nodiscard]] Result<Millis> parse_duration(std::string_view text);

// The largest unit that says it exactly: 900000 ms is 15m.
[[nodiscard]] std::string format_duration(Millis duration);

}  // namespace semel
