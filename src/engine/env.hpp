// Env: the engine's interface to time, timers, randomness, threads and handlers. RealEnv implements
// it for a running process, and the simulator has its own. The engine uses nothing else outside the
// store, so a simulator can repeat a run from a seed.
//
// Threads: post(), monotonic() and observer() any. The rest only on the executor.
// Lifetime: outlives the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include <semel/handler.hpp>

#include "base/time.hpp"
#include "core/commands.hpp"
#include "engine/observer.hpp"

namespace semel {

class Env {
public:
    using TimerId = std::uint64_t;

    virtual ~Env() = default;

    // Runs a function on the engine's executor, after the current one. Returns false if the
    // executor has stopped: the function will not run.
    virtual bool post(std::function<void()> run) = 0;

    // Returns the time of a clock that never goes back.
    [[nodiscard]] virtual std::chrono::nanoseconds monotonic() = 0;
    [[nodiscard]] virtual Observer& observer() = 0;

    // Calls `run` once, after at least `delay`.
    virtual TimerId after(Millis delay, std::function<void()> run) = 0;
    // Does nothing if the timer has fired.
    virtual void cancel(TimerId timer) = 0;
    [[nodiscard]] virtual std::uint64_t random() = 0;

    // Runs the handler of the job's type on another thread. `done` runs on the executor, once.
    virtual void run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) = 0;
    // Asks a running handler to stop, because its attempt is over.
    virtual void stop_handler(const JobId& id, Token token) = 0;
};

}  // namespace semel
