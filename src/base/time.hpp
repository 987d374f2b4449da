// Time: an instant of store time, in milliseconds since 1970 UTC. The wire form is RFC 3339 with
// exactly three decimals and `Z`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semel {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::time_point<std::chrono::system_clock, Millis>;

// The range a stored time may have: years 1970 to 9999. Sums are clamped to it, so that no
// arithmetic on accepted values can overflow.
inline constexpr std::int64_t kTimeMaxMs = 253402300799999;

[[nodiscard]] constexpr Time from_ms(std::int64_t ms) {
    return Time(Millis(ms));
}
[[nodiscard]] constexpr std::int64_t to_ms(Time time) {
    return time.time_since_epoch().count();
}

// time + delay, clamped to the range above.
[[nodiscard]] Time add_clamped(Time time, Millis delay);

[[nodiscard]] std::string format_rfc3339(Time time);

// Accepts any RFC 3339 date-time (offsets, any number of decimals, a leap second as :60).
// Digits below a millisecond are cut off. Nothing outside the range above.
[[nodiscard]] std::optional<Time> parse_rfc3339(std::string_view text);

}  // namespace semel
