// ServerClock: what the server's clock says, between the moments when it was asked. All nodes of a
// database go by that one clock.
#pragma once

#include <chrono>
#include <mutex>

#include "store/postgres/connection.hpp"
#include "store/store_clock.hpp"

namespace semel::postgres {

// What it says now, whatever the nodes have agreed on.
[[nodiscard]] Result<Time> read_server_time(Connection& connection);

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

}  // namespace semel::postgres
