// Handled: counts the jobs that were handled, and waits for the last one. Threads: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace semel::loads {

// Handlers call one(), the measuring thread calls wait(). REQUIRES: `all` is above 0.
class Handled {
public:
    explicit Handled(std::int64_t all) : all_(all) {}

    void one() {
        const std::lock_guard lock(mutex_);
        if (++count_ == all_) {
            changed_.notify_one();
        }
    }
    [[nodiscard]] std::int64_t count() {
        const std::lock_guard lock(mutex_);
        return count_;
    }
    // Returns the part of `all` that was handled.
    [[nodiscard]] double part() { return static_cast<double>(count()) / static_cast<double>(all_); }
    // Waits until all were handled, at most 100 ms. Returns whether they were.
    [[nodiscard]] bool wait() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::milliseconds(100),
                                 [this] { return count_ >= all_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    const std::int64_t all_;
    std::int64_t count_ = 0;
};

}  // namespace semel::loads
