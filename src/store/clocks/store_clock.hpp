// StoreClock: the store time of an embedded store. It runs with the monotonic clock, so a step of
// the wall clock neither starts jobs early nor extends leases. Store time then approaches the wall
// clock slowly: it runs at most 10 % faster or slower.
//
// Errors: none. Threads: any.
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
    // `not_before`: the latest stored time. now() never returns an earlier one.
    StoreClock(std::function<ClockSample()> sample, Time not_before);

    // Returns store time, which never goes back.
    [[nodiscard]] Time now();

    // Makes now() return at least `time`.
    void raise_to(Time time);

    // The wall clock minus store time. Negative if the wall clock is behind.
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
