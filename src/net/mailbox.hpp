// Mailbox: brings tasks from any thread to one io thread. Many tasks at once, like the answers
// after a commit, cost one wake-up.
//
// Errors: none. A task that throws ends alone. A closed Mailbox drops every task.
// Threads: post(), run() and close(): any.
// Lifetime: the posting threads share it, so it can outlive its io thread. The thread closes it
// before the io_context is destroyed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace semel::net {

class Mailbox : public std::enable_shared_from_this<Mailbox> {
public:
    using Task = std::function<void()>;

    explicit Mailbox(boost::asio::io_context& io) : io_(io) {}

    // Call it once, on the io thread, before the thread runs anything else.
    void bind_to_this_thread() { thread_ = std::this_thread::get_id(); }
    [[nodiscard]] bool is_on_thread() const {
        return std::this_thread::get_id() == thread_.load(std::memory_order_relaxed);
    }

    // Runs the task on the io thread, later.
    void post(Task task);
    // Like post(), but runs the task at once if called on the io thread.
    void run(Task task);
    // Drops the waiting tasks. After it returns, the io_context is not used again.
    void close();

private:
    // Runs the waiting tasks. On the io thread.
    void empty();

    boost::asio::io_context& io_;
    std::atomic<std::thread::id> thread_;
    std::mutex mutex_;
    std::vector<Task> tasks_;    // under mutex_
    bool is_scheduled_ = false;  // under mutex_: empty() is posted and has not run
    bool is_closed_ = false;     // under mutex_
};

}  // namespace semel::net
