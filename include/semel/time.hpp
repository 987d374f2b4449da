// Time: an instant of store time, in milliseconds since 1970 UTC. The wire form is RFC 3339 with
// exactly three decimals and `Z`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace semel {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::time_point<std::chrono::system_clock, Millis>;

[[nodiscard]] std::string format_rfc3339(Time time);

// Accepts any RFC 3339 date-time (offsets, any number of decimals, a leap second as :60).
// Digits below a millisecond are cut off. What lies before 1970 is taken for its first moment;
// nothing lies behind the year 9999.
[[nodiscard]] std::optional<Time> parse_rfc3339(std::string_view text);

}  // namespace semel
