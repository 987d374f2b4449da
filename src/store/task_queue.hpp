// TaskQueue: what threads take their work from, oldest first.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace semel {

template <typename Task>
class TaskQueue {
public:
    // At most `tasks_max` wait.
    explicit TaskQueue(std::size_t tasks_max) : tasks_max_(tasks_max) {}

    // False: too many are waiting, and this one was not taken. Thread-safe.
    [[nodiscard]] bool post(Task task) {
        {
            const std::lock_guard lock(mutex_);
            if (tasks_.size() >= tasks_max_) {
                return false;
            }
            tasks_.push_back(std::move(task));
        }
        changed_.notify_one();
        return true;
    }

    // Waits for the next one. Empty: the queue is closed and nothing waits.
    [[nodiscard]] std::optional<Task> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_closed_ || !tasks_.empty(); });
        if (tasks_.empty()) {
            return std::nullopt;
        }
        std::optional<Task> task(std::move(tasks_.front()));
        tasks_.pop_front();
        return task;
    }

    // What waits is still taken.
    void close() {
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        changed_.notify_all();
    }

private:
    const std::size_t tasks_max_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;  // guarded by mutex_
    bool is_closed_ = false;  // guarded by mutex_
};

}  // namespace semel
