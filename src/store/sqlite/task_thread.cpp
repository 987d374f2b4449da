#include "store/sqlite/task_thread.hpp"

namespace semel::sqlite {

TaskThread::TaskThread(std::size_t tasks_max) : tasks_max_(tasks_max), thread_([this] { run(); }) {}

TaskThread::~TaskThread() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

bool TaskThread::post(Task task) {
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

void TaskThread::run() {
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
            if (tasks_.empty()) {
                return;
            }
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
}

}  // namespace semel::sqlite
