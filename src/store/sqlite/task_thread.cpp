#include "store/sqlite/task_thread.hpp"

namespace semel::sqlite {

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

}  // namespace semel::sqlite
