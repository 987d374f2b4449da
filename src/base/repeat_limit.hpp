// RepeatLimit: lets one of many messages pass per interval and counts the suppressed messages.
//
// The first message always passes. Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace semel {

class RepeatLimit {
public:
    explicit RepeatLimit(std::chrono::nanoseconds interval) : interval_(interval) {}

    // Returns the number of messages suppressed since the last one passed, or nullopt if this
    // message must be suppressed too. `now` is a reading of a monotonic clock.
    [[nodiscard]] std::optional<std::int64_t> admit(std::chrono::nanoseconds now) {
        if (last_ && now - *last_ < interval_) {
            ++held_back_;
            return std::nullopt;
        }
        last_ = now;
        return std::exchange(held_back_, 0);
    }

private:
    const std::chrono::nanoseconds interval_;
    std::optional<std::chrono::nanoseconds> last_;  // when a message passed
    std::int64_t held_back_ = 0;
};

}  // namespace semel
