// Time: an instant of store time, in milliseconds since 1970-01-01 UTC. Store time is the clock of
// the store. It never goes back, and it can differ from the clock of this machine.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace semel {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::time_point<std::chrono::system_clock, Millis>;

// Returns RFC 3339 in UTC with three decimals, like `2030-01-31T08:00:01.120Z`. A time outside the
// years 0 to 9999 has no such form: it becomes text like `253402300800000 ms after 1970`.
[[nodiscard]] std::string format_rfc3339(Time time);

// Reads an RFC 3339 date-time. It accepts every offset, any number of decimals and the second 60 of
// a leap second, and cuts off digits below a millisecond.
//
// Returns 1970-01-01T00:00:00Z for an earlier time. Returns nullopt for text that is no RFC 3339
// date-time, and for a time after the year 9999.
[[nodiscard]] std::optional<Time> parse_rfc3339(std::string_view text);

}  // namespace semel
