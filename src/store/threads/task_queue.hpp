// TaskQueue: a bounded queue of tasks for worker threads, oldest first.
//
// Errors: see post(). Threads: any. take() blocks.
// Lifetime: call close() and join the threads in take() before the destructor runs.
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
    // `tasks_max`: the most tasks that can wait.
    explicit TaskQueue(std::size_t tasks_max) : tasks_max_(tasks_max) {}

    // Adds a task. Returns false if the queue is full: the task is dropped.
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

    // Waits for the oldest task and removes it. nullopt: the queue is closed and empty.
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

    // Ends take() once the queue is empty. Waiting tasks are still returned.
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
