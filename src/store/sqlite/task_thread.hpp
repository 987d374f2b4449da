// TaskThread: a thread that runs what it is given, in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace semel::sqlite {

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
    [[nodiscard]] bool post(Task task);

private:
    void run();

    const std::size_t tasks_max_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;  // guarded by mutex_
    bool stopping_ = false;   // guarded by mutex_
    std::thread thread_;      // last: it uses everything above
};

}  // namespace semel::sqlite
