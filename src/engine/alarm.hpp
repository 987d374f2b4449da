// Alarm: calls back when store time reaches the earliest instant it was told of. Store time may run
// slower than the timers, so a timer that fires early is set again.
#pragma once

#include <functional>
#include <optional>

#include "engine/env.hpp"
#include "store/store.hpp"

namespace semel {

class Alarm {
public:
    Alarm(Env& env, const Store& store, std::function<void()> ring);
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    // Rings at `at`, or at what was set before if that is earlier.
    void set(Time at);
    void clear();

private:
    void arm();
    void fired();

    Env& env_;
    const Store& store_;
    std::function<void()> ring_;
    std::optional<Time> at_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
