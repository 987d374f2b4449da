// StoreClock: store time for an embedded store. It runs with the monotonic clock, so that a step
// of the wall clock neither starts work early nor keeps leases from ending; the step is then made
// up for slowly.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

#include "base/time.hpp"

namespace semel {

struct ClockSample {
    Time wall;
    std::chrono::nanoseconds steady;
};

class StoreClock {
public:
    // Never answers a time before `not_before`: the last time that was ever stored.
    StoreClock(std::function<ClockSample()> sample, Time not_before);

    // Thread-safe; never goes back.
    [[nodiscard]] Time now();

    // From here on it is at least `time`.
    void raise_to(Time time);

    // How far the wall clock is ahead of store time (negative: behind).
    [[nodiscard]] Millis offset();

    // The real clocks.
    [[nodiscard]] static ClockSample real_sample();

private:
    // REQUIRES: mutex_ is held.
    void advance(const ClockSample& sample);

    const std::function<ClockSample()> sample_;
    std::mutex mutex_;
    std::chrono::nanoseconds last_steady_;
    std::chrono::nanoseconds now_;  // since 1970, finer than Time, so that small steps add up
    Time last_wall_;
};

}  // namespace semel
