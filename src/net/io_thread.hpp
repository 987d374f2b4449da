// IoThread: one thread with an Asio event loop, on which sockets run. IoThreads holds the few io
// threads that the servers and clients of a process share.
//
// Threads: one controlling thread calls start() and stop(). Any thread may call post(), run(),
// is_current() and mailbox(). Only the io thread uses io() and date().
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): not ours
}

namespace semel::net {

class Mailbox;

class IoThread {
public:
    using Task = std::function<void()>;

    IoThread();
    ~IoThread();  // stop()
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    void start();
    // Ends the thread and drops the waiting tasks. Pending operations end without a call of their
    // handlers. Idempotent. Not on the io thread.
    void stop();

    // See Mailbox.
    void post(Task task);
    void run(Task task);
    [[nodiscard]] bool is_current() const;
    // Returns the mailbox, for callers that can outlive this object.
    [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }

    [[nodiscard]] boost::asio::io_context& io();
    // Returns the value of the header Date. It is rendered at most once a second.
    [[nodiscard]] const std::string& date();

private:
    struct State;

    void run_io();

    std::unique_ptr<State> state_;
    std::shared_ptr<Mailbox> mailbox_;
};

// The io threads of a process. A socket stays on the thread that it began on.
class IoThreads {
public:
    // Starts them. REQUIRES: count > 0.
    explicit IoThreads(int count);
    ~IoThreads();  // stop()
    IoThreads(const IoThreads&) = delete;
    IoThreads& operator=(const IoThreads&) = delete;

    // Idempotent. Not on an io thread.
    void stop();

    [[nodiscard]] std::size_t size() const { return threads_.size(); }
    [[nodiscard]] IoThread& at(std::size_t i) const { return *threads_.at(i); }

private:
    std::vector<std::unique_ptr<IoThread>> threads_;
};

}  // namespace semel::net
