// from_ms, to_ms and add_clamped: arithmetic on Time (<semel/time.hpp>) without overflow.
//
// All functions are pure. Threads: any.
#pragma once

#include <cstdint>

#include <semel/time.hpp>

namespace semel {

// The last instant that can be stored, in ms since 1970: the end of the year 9999. The first one is
// 0. Sums are clamped to this range, so arithmetic on accepted values cannot overflow.
inline constexpr std::int64_t kTimeMaxMs = 253402300799999;

[[nodiscard]] constexpr Time from_ms(std::int64_t ms) {
    return Time(Millis(ms));
}
[[nodiscard]] constexpr std::int64_t to_ms(Time time) {
    return time.time_since_epoch().count();
}

// Returns time + delay, clamped to the range above. A negative delay is allowed.
[[nodiscard]] Time add_clamped(Time time, Millis delay);

}  // namespace semel
