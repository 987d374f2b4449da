// Loop: one thread that runs posted functions and timers, in order. It is the engine's executor.
//
// Errors: post() returns false after stop(). A function must not throw.
// Threads: post(): any. start() and stop(): one controlling thread. after() and cancel(): the
// loop's thread, or any single thread before start().
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace semel {

class Loop {
public:
    using Clock = std::chrono::steady_clock;
    using TimerId = std::uint64_t;

    Loop() = default;
    ~Loop();  // stop()
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    void start();
    // Refuses later posts, runs the functions that were posted before, drops the timers, and joins
    // the thread. Blocks. Idempotent. Must not be called on the loop's thread.
    void stop();

    // Runs the function on the loop, after those posted before. Returns false, and drops it, after
    // stop().
    bool post(std::function<void()> run);

    // Runs the function on the loop once, after the delay, unless cancel() is called before.
    TimerId after(std::chrono::milliseconds delay, std::function<void()> run);
    void cancel(TimerId timer);

private:
    void run();
    // Runs the due timers.
    void run_timers();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::function<void()>> posted_;  // guarded by mutex_
    bool stopping_ = false;                      // guarded by mutex_

    // Only the loop's thread uses the members below.
    std::map<std::pair<Clock::time_point, TimerId>, std::function<void()>> timers_;
    std::unordered_map<TimerId, Clock::time_point> timer_times_;
    TimerId last_timer_ = 0;
    std::thread thread_;
};

}  // namespace semel
