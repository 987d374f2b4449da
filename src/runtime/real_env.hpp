// RealEnv: the Env of a real process: its clock, its random numbers, a Loop and a HandlerPool.
//
// Threads: see engine/env.hpp.
// Lifetime: loop, pool and observer outlive it.
#pragma once

#include "engine/env.hpp"
#include "runtime/handler_pool.hpp"
#include "runtime/loop.hpp"

namespace semel {

class RealEnv final : public Env {
public:
    RealEnv(Loop& loop, HandlerPool& handlers, Observer& observer)
        : loop_(loop), handlers_(handlers), observer_(observer) {}

    bool post(std::function<void()> run) override { return loop_.post(std::move(run)); }
    TimerId after(Millis delay, std::function<void()> run) override {
        return loop_.after(delay, std::move(run));
    }
    void cancel(TimerId timer) override { loop_.cancel(timer); }
    std::uint64_t random() override;
    std::chrono::nanoseconds monotonic() override {
        return std::chrono::steady_clock::now().time_since_epoch();
    }
    Observer& observer() override { return observer_; }
    void run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) override;
    void stop_handler(const JobId& id, Token token) override { handlers_.request_stop(id, token); }

private:
    Loop& loop_;
    HandlerPool& handlers_;
    Observer& observer_;
};

}  // namespace semel
