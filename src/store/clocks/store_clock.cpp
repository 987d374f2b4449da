#include "store/clocks/store_clock.hpp"

#include <algorithm>

namespace semel {
namespace {

// Store time may run at most this much faster or slower than the monotonic clock.
constexpr int kSlewDivisor = 10;

std::chrono::nanoseconds since_epoch(Time time) {
    return std::chrono::nanoseconds(time.time_since_epoch());
}

}  // namespace

StoreClock::StoreClock(std::function<ClockSample()> sample, Time not_before)
    : sample_(std::move(sample)) {
    const ClockSample first = sample_();
    last_steady_ = first.steady;
    last_wall_ = first.wall;
    now_ = since_epoch(std::max(first.wall, not_before));
}

void StoreClock::advance(const ClockSample& sample) {
    const auto elapsed = std::max(sample.steady - last_steady_, std::chrono::nanoseconds(0));
    const auto most = elapsed / kSlewDivisor;
    const auto error = since_epoch(sample.wall) - (now_ + elapsed);
    now_ += elapsed + std::clamp(error, -most, most);
    last_steady_ = std::max(sample.steady, last_steady_);
    last_wall_ = sample.wall;
}

Time StoreClock::now() {
    const std::lock_guard lock(mutex_);
    advance(sample_());
    return Time(std::chrono::duration_cast<Millis>(now_));
}

void StoreClock::raise_to(Time time) {
    const std::lock_guard lock(mutex_);
    now_ = std::max(now_, since_epoch(time));
}

Millis StoreClock::offset() {
    const std::lock_guard lock(mutex_);
    advance(sample_());
    return std::chrono::duration_cast<Millis>(since_epoch(last_wall_) - now_);
}

ClockSample StoreClock::real_sample() {
    return {std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()),
            std::chrono::steady_clock::now().time_since_epoch()};
}

}  // namespace semel
