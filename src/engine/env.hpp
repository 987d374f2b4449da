// Env: everything outside that the engine needs, in one small interface. The runtime makes the
// real one; a simulator makes another.
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

    // Runs a function on the engine's executor, after the current one. Thread-safe. False: the
    // executor has stopped, and the function will not run.
    virtual bool post(std::function<void()> run) = 0;

    // Thread-safe too.
    [[nodiscard]] virtual std::chrono::nanoseconds monotonic() = 0;
    [[nodiscard]] virtual Observer& observer() = 0;

    // The rest is for the executor alone.
    virtual TimerId after(Millis delay, std::function<void()> run) = 0;
    virtual void cancel(TimerId timer) = 0;
    [[nodiscard]] virtual std::uint64_t random() = 0;

    // Runs the handler of the job's type elsewhere; `done` comes back on the executor, once.
    virtual void run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) = 0;
    // Tells a running handler that its attempt is over and it should stop.
    virtual void stop_handler(const JobId& id, Token token) = 0;
};

}  // namespace semel
