// TaskThread: a thread that runs what it is given, in order.
#pragma once

#include <functional>
#include <thread>

#include "store/task_queue.hpp"

namespace semel {

class TaskThread {
public:
    using Task = std::function<void()>;

    // At most `tasks_max` wait.
    explicit TaskThread(std::size_t tasks_max);
    // Runs what is waiting, then ends.
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    // False: too many are waiting, and this one was not taken. Thread-safe.
    [[nodiscard]] bool post(Task task) { return queue_.post(std::move(task)); }

private:
    TaskQueue<Task> queue_;
    std::thread thread_;  // last: it uses the queue
};

}  // namespace semel
