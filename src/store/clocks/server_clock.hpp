// ServerClock: estimates a server's clock. Between the server's answers it continues with the
// monotonic clock. Errors: none.
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
    // Returns false and changes nothing if the round trip took 100 ms or more, except for the first
    // answer.
    bool heard(Time server, std::chrono::nanoseconds asked);

    // Returns the server's time now. REQUIRES: heard() was called once.
    [[nodiscard]] ClockSample sample() const;

private:
    mutable std::mutex mutex_;
    Time server_;
    std::chrono::nanoseconds steady_{0};
};

}  // namespace semel
