// Calls: limits how many asynchronous calls run at once, times them, and collects their results.
//
// Threads: one thread calls begin() and wait_for_all(); the engine's thread calls end().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "loads/sampler.hpp"

namespace semel::loads {

class Calls {
public:
    explicit Calls(int callers) : room_(callers), callers_(callers) {}

    // Waits until fewer than `callers` calls run, then counts a new one. Returns false, and counts
    // none, if a call has failed.
    [[nodiscard]] bool begin() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return room_ > 0; });
        if (error_) {
            return false;
        }
        --room_;
        return true;
    }
    // Ends a call. `fresh` is the number of new things that it made, or its error. Its duration is
    // recorded unless it failed.
    void end(Sampler::Clock::time_point began, const Result<std::int64_t>& fresh) {
        const auto took = Sampler::Clock::now() - began;
        const std::lock_guard lock(mutex_);
        ++room_;
        if (fresh) {
            waits_ms_.push_back(std::chrono::duration<double, std::milli>(took).count());
            fresh_ += *fresh;
        } else {
            error_ = fresh.error();
        }
        changed_.notify_one();
    }
    // Waits until every call has ended.
    void wait_for_all() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return room_ == callers_; });
    }

    // Call the rest after wait_for_all(). Returns the last error, if any.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] std::int64_t fresh() const { return fresh_; }
    [[nodiscard]] std::vector<double>& waits_ms() { return waits_ms_; }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int room_;
    const int callers_;
    std::optional<Error> error_;
    std::int64_t fresh_ = 0;
    std::vector<double> waits_ms_;
};

}  // namespace semel::loads
