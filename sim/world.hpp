// World: virtual time, and everything that is about to happen in it. One thing happens at a time;
// what comes at the same instant comes in an order that the seed decides.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/time.hpp"
#include "sim/random.hpp"
#include "sim/trace.hpp"
#include "store/clocks/store_clock.hpp"

namespace semel::sim {

using Micros = std::chrono::microseconds;

// Whose event it is: a process by its number, or the outside, which never crashes.
using ProcessId = std::uint64_t;
inline constexpr ProcessId kOutside = 0;

class World {
public:
    World(std::uint64_t seed, Time begin, Trace& trace)
        : random_(seed), begin_(begin), trace_(trace) {}

    [[nodiscard]] Micros now() const { return now_; }
    [[nodiscard]] ClockSample clocks() const { return {wall(), now_}; }
    [[nodiscard]] Time wall() const;
    void step_wall(Millis by) { wall_offset_ += by; }

    using EventId = std::uint64_t;
    // Later, after `delay`. What is asked for at one instant may come in any order …
    EventId after(ProcessId owner, Micros delay, std::function<void()> run);
    // … but posts come in the order they were made.
    void post(ProcessId owner, std::function<void()> run);
    void cancel(EventId id);

    // Nothing of a dead process happens any more.
    void kill(ProcessId owner) { dead_.insert(owner); }
    // Nothing of a process happens before `until`.
    void pause(ProcessId owner, Micros until) { paused_[owner] = until; }

    // The next thing; false: nothing is left, or it lies behind `until`.
    bool run_next(Micros until);

    [[nodiscard]] Random& random() { return random_; }

private:
    // Time, then a dice, then the order in which it was asked for.
    using Place = std::tuple<Micros, std::uint64_t, EventId>;
    struct Event {
        ProcessId owner;
        std::function<void()> run;
    };

    EventId add(Micros at, std::uint64_t dice, Event event);

    Random random_;
    Time begin_;
    Trace& trace_;
    Micros now_{0};
    Millis wall_offset_{0};
    EventId last_id_ = 0;
    std::map<Place, Event> events_;
    std::map<EventId, Place> places_;
    std::set<ProcessId> dead_;
    std::map<ProcessId, Micros> paused_;
};

}  // namespace semel::sim
