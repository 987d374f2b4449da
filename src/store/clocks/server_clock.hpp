// ServerClock: a server's clock, continued with the monotonic clock between the server's answers.
//
// Threads: any.
#pragma once

#include <chrono>
#include <mutex>

#include "store/clocks/store_clock.hpp"

namespace semel {

class ServerClock {
public:
    // Records an answer: `server` is its time, `asked` the monotonic clock when it was asked.
    // Returns false and changes nothing if the round trip took 100 ms or more. The first answer
    // always counts.
    bool heard(Time server, std::chrono::nanoseconds asked);

    // Returns the server's time now. REQUIRES: heard() was called once.
    [[nodiscard]] ClockSample sample() const;

private:
    mutable std::mutex mutex_;
    Time server_;
    std::chrono::nanoseconds steady_{0};
};

}  // namespace semel
