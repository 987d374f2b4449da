#include "store/clocks/server_clock.hpp"

namespace semel {

// The server can have read its clock at any time of the round trip. This assumes the end, so store
// time is never ahead of the server's clock, and nothing starts early.
bool ServerClock::heard(Time server, std::chrono::nanoseconds asked) {
    const std::chrono::nanoseconds now = StoreClock::real_sample().steady;
    constexpr std::chrono::nanoseconds kTelling = std::chrono::milliseconds(100);
    const std::lock_guard lock(mutex_);
    if (steady_.count() != 0 && now - asked >= kTelling) {
        return false;
    }
    server_ = server;
    steady_ = now;
    return true;
}

ClockSample ServerClock::sample() const {
    const std::chrono::nanoseconds now = StoreClock::real_sample().steady;
    const std::lock_guard lock(mutex_);
    return {server_ + std::chrono::duration_cast<Millis>(now - steady_), now};
}

}  // namespace semel
