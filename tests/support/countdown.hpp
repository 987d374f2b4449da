// Countdown: counts down as handlers end, and lets the test wait for the last.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace semel::test {

class Countdown {
public:
    explicit Countdown(int count) : left_(count) {}
    void one() {
        const std::lock_guard lock(mutex_);
        if (--left_ == 0) changed_.notify_all();
    }
    // False: they did not all end, long after they should have.
    [[nodiscard]] bool wait() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(60), [this] { return left_ <= 0; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int left_;
};

}  // namespace semel::test
