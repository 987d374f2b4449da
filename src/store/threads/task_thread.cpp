#include "store/threads/task_thread.hpp"

namespace semel {

TaskThread::TaskThread(std::size_t tasks_max)
    : queue_(tasks_max), thread_([this] {
          while (const auto task = queue_.take()) {
              (*task)();
          }
      }) {}

TaskThread::~TaskThread() {
    queue_.close();
    thread_.join();
}

}  // namespace semel
