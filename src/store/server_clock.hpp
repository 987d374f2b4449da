// ServerClock: what a server's clock says, between the moments when it was asked. All nodes that
// share the server go by that one clock.
#pragma once

#include <chrono>
#include <mutex>

#include "store/store_clock.hpp"

namespace semel {

class ServerClock {
public:
    // `server` is what it said; the answer was asked for at `asked` and is here now. Whether that
    // told anything: a long round trip does not.
    bool heard(Time server, std::chrono::nanoseconds asked);

    // Thread-safe. REQUIRES: it was heard once.
    [[nodiscard]] ClockSample sample() const;

private:
    mutable std::mutex mutex_;
    Time server_;
    std::chrono::nanoseconds steady_{0};
};

}  // namespace semel
