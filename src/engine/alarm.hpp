// Alarm: calls `ring` once when store time reaches the earliest instant that was set. Store time
// can run slower than Env's timers, so the alarm starts a new timer if one fires early.
//
// Threads: the engine's executor. `ring` runs there too, and may set the alarm again.
// Lifetime: `env` and `store` outlive the alarm. The destructor cancels the timer.
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

    // Rings at `at`, or at the instant set before if that is earlier.
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
