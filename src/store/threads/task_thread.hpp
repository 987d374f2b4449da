// TaskThread: runs tasks on one thread, in the order of their arrival.
//
// Errors: see post(). Threads: post(): any.
// Lifetime: the destructor runs the waiting tasks, then ends the thread.
#pragma once

#include <functional>
#include <thread>

#include "store/threads/task_queue.hpp"

namespace semel {

class TaskThread {
public:
    using Task = std::function<void()>;

    // `tasks_max`: the most tasks that can wait.
    explicit TaskThread(std::size_t tasks_max);
    // Runs the waiting tasks first.
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    // Adds a task. Returns false if too many tasks wait: the task is dropped.
    [[nodiscard]] bool post(Task task) { return queue_.post(std::move(task)); }

private:
    TaskQueue<Task> queue_;
    std::thread thread_;  // last: it uses the queue
};

}  // namespace semel
