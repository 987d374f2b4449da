// VirtualEnv: an Env whose time is the test's. Several nodes can share one.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engine/env.hpp"

namespace semel::test {

class VirtualEnv final : public Env {
public:
    struct Call {
        TakenJob job;
        std::function<void(HandlerResult)> done;
        bool stop_requested = false;
    };

    explicit VirtualEnv(Time start = *parse_rfc3339("2026-03-01T12:00:00Z")) : now_(start) {}

    [[nodiscard]] Time now() const { return now_; }

    bool post(std::function<void()> run) override {
        posted_.push_back(std::move(run));
        return true;
    }
    TimerId after(Millis delay, std::function<void()> run) override {
        const TimerId id = ++last_timer_;
        timers_.emplace(std::pair(now_ + std::max(delay, Millis(0)), id), std::move(run));
        return id;
    }
    void cancel(TimerId timer) override {
        std::erase_if(timers_, [&](const auto& entry) { return entry.first.second == timer; });
    }
    std::uint64_t random() override { return random_(); }
    std::chrono::nanoseconds monotonic() override { return now_.time_since_epoch(); }
    Observer& observer() override { return *observer_; }

    void run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) override {
        calls.push_back({job, std::move(done)});
        if (on_handler) {
            on_handler(calls.back());
        }
    }
    void stop_handler(const JobId& id, Token token) override {
        for (Call& call : calls) {
            if (call.job.job.id == id && call.job.job.token == token) {
                call.stop_requested = true;
            }
        }
    }

    // Runs what is posted until nothing is left to do at this instant.
    void settle() {
        while (!posted_.empty()) {
            auto run = std::move(posted_.front());
            posted_.pop_front();
            run();
        }
    }

    // Moves time on, timer by timer.
    void advance(Millis by) {
        const Time end = now_ + by;
        settle();
        while (!timers_.empty() && timers_.begin()->first.first <= end) {
            auto timer = timers_.extract(timers_.begin());
            now_ = std::max(now_, timer.key().first);
            timer.mapped()();
            settle();
        }
        now_ = end;
    }

    // Moves time on in one step, as on a machine that stood still: what was due meanwhile comes
    // late, and what repeats itself comes once. For tests of days, which a node has many looks in.
    void skip(Millis by) {
        settle();
        now_ += by;
        advance(Millis(0));
    }

    void observe(Observer& observer) { observer_ = &observer; }

    std::deque<Call> calls;                 // of handlers, oldest first
    std::function<void(Call&)> on_handler;  // runs as each call comes

private:
    Time now_;
    std::deque<std::function<void()>> posted_;
    std::map<std::pair<Time, TimerId>, std::function<void()>> timers_;
    TimerId last_timer_ = 0;
    std::mt19937_64 random_{11};
    Observer silent_;
    Observer* observer_ = &silent_;
};

}  // namespace semel::test
