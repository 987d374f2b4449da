// Loop: one thread that runs what is posted to it, and timers. The engine's executor.
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
    // Runs what was posted before, drops timers, and joins. Later posts are refused. Idempotent;
    // never from the loop's own thread.
    void stop();

    // Thread-safe. What is accepted runs; false: the loop has stopped.
    bool post(std::function<void()> run);

    // On the loop's thread, or before start().
    TimerId after(std::chrono::milliseconds delay, std::function<void()> run);
    void cancel(TimerId timer);

private:
    void run();
    // Runs the timers that are due.
    void run_timers();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::function<void()>> posted_;  // guarded by mutex_
    bool stopping_ = false;                      // guarded by mutex_

    // The loop's own.
    std::map<std::pair<Clock::time_point, TimerId>, std::function<void()>> timers_;
    std::unordered_map<TimerId, Clock::time_point> timer_times_;
    TimerId last_timer_ = 0;
    std::thread thread_;
};

}  // namespace semel
