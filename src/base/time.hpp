// Time as numbers, and the range it may have.
#pragma once

#include <cstdint>

#include <semel/time.hpp>

namespace semel {

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

}  // namespace semel
