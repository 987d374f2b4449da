#include "net/io_thread.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "net/response_writer.hpp"

namespace semel::net {

IoThread::IoThread() : guard_(boost::asio::make_work_guard(io_)) {}

IoThread::~IoThread() {
    stop();
}

void IoThread::start() {
    thread_ = std::thread([this] { run_io(); });
}

void IoThread::run_io() {
    id_ = std::this_thread::get_id();
    for (;;) {
        try {
            io_.run();
            return;
        } catch (...) {
            // Out of memory in one connection's step: that connection has no operation left and
            // meets its deadline; the others go on.
            continue;
        }
    }
}

void IoThread::stop() {
    std::vector<Task> dropped;
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
        dropped.swap(tasks_);
    }
    guard_.reset();
    io_.stop();
    if (thread_.joinable()) thread_.join();
}

void IoThread::post(Task task) {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    tasks_.push_back(std::move(task));
    if (is_scheduled_) return;
    is_scheduled_ = true;
    boost::asio::post(io_, [this] { run_tasks(); });
}

void IoThread::run(Task task) {
    if (is_current()) {
        task();
    } else {
        post(std::move(task));
    }
}

bool IoThread::is_current() const {
    return std::this_thread::get_id() == id_.load(std::memory_order_relaxed);
}

void IoThread::run_tasks() {
    std::vector<Task> tasks;
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
        is_scheduled_ = false;
    }
    for (Task& task : tasks) {
        try {
            task();
        } catch (...) {
            continue;  // as in run_io(): the other tasks belong to others
        }
    }
}

const std::string& IoThread::date() {
    const std::time_t now = std::time(nullptr);
    if (now != date_at_) {
        date_at_ = now;
        date_ = format_http_date(now);
    }
    return date_;
}

IoThreads::IoThreads(int count) {
    for (int i = 0; i < count; ++i) threads_.push_back(std::make_unique<IoThread>());
    for (const auto& thread : threads_) thread->start();
}

IoThreads::~IoThreads() {
    stop();
}

void IoThreads::stop() {
    for (const auto& thread : threads_) thread->stop();
}

}  // namespace semel::net
