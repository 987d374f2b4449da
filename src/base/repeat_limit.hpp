// RepeatLimit: lets one of many messages through in each interval, and counts those held back.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace semel {

class RepeatLimit {
public:
    explicit RepeatLimit(std::chrono::nanoseconds interval) : interval_(interval) {}

    // `now` is a monotonic clock's. How many were held back since the last one that went through;
    // absent: this one is held back too.
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
    std::optional<std::chrono::nanoseconds> last_;  // that went through
    std::int64_t held_back_ = 0;
};

}  // namespace semel
