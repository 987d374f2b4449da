// IoThread: one thread that runs sockets. The servers and clients of a process share a few of them.
//
// Threads: the controlling thread calls start() and stop(). Any thread may call post(), run() and
// is_current(). Everything else is for the io thread alone.
#pragma once

#include <atomic>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace semel::net {

class IoThread {
public:
    using Task = std::function<void()>;

    IoThread();
    ~IoThread();  // stop()
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    void start();
    // Ends the thread and drops the tasks that wait. Pending operations end without a call of their
    // handlers. Idempotent. Not on the io thread.
    void stop();

    // Runs the task on the io thread, later. Many tasks at once, as after a group commit, cost one
    // wake-up. After stop() a task is dropped.
    void post(Task task);
    // The same, but at once if called on the io thread.
    void run(Task task);
    [[nodiscard]] bool is_current() const;

    [[nodiscard]] boost::asio::io_context& io() { return io_; }
    // Returns the value of the header Date. It is rendered at most once a second.
    [[nodiscard]] const std::string& date();

private:
    void run_io();
    void run_tasks();

    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
    std::thread thread_;
    std::atomic<std::thread::id> id_;

    std::mutex mutex_;
    std::vector<Task> tasks_;    // under mutex_
    bool is_scheduled_ = false;  // under mutex_: run_tasks() is posted and has not run
    bool is_stopped_ = false;    // under mutex_

    std::time_t date_at_ = 0;
    std::string date_;
};

// The io threads of a process. A socket stays on the thread that it began on.
class IoThreads {
public:
    // REQUIRES: count > 0. Starts them.
    explicit IoThreads(int count);
    ~IoThreads();  // stop()
    IoThreads(const IoThreads&) = delete;
    IoThreads& operator=(const IoThreads&) = delete;

    // Idempotent. Not on an io thread.
    void stop();

    [[nodiscard]] std::size_t size() const { return threads_.size(); }
    [[nodiscard]] IoThread& at(std::size_t i) { return *threads_.at(i); }

private:
    std::vector<std::unique_ptr<IoThread>> threads_;
};

}  // namespace semel::net
