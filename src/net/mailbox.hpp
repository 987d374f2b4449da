// Brings answers from any thread to the io thread of their connection. Many answers given at once,
// as after a group commit, cost one wake-up. It outlives its worker in the responders' hands, and
// is closed before the worker dies; a closed mailbox drops what it gets.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "net/http.hpp"

namespace semel::net {

class Connection;

class Mailbox : public std::enable_shared_from_this<Mailbox> {
public:
    explicit Mailbox(boost::asio::io_context& io) : io_(io) {}

    // Called once, on the io thread.
    void bind_to_this_thread() { thread_ = std::this_thread::get_id(); }
    // On the io thread itself the answer is given at once.
    void deliver(const std::weak_ptr<Connection>& connection, Response response);
    // After this, the io_context is not touched again.
    void close();

private:
    struct Letter {
        std::weak_ptr<Connection> connection;
        Response response;
    };

    void empty();

    boost::asio::io_context& io_;
    std::atomic<std::thread::id> thread_;
    std::mutex mutex_;
    std::vector<Letter> letters_;  // under mutex_
    bool is_scheduled_ = false;    // under mutex_: empty() is posted and has not begun
    bool is_closed_ = false;       // under mutex_
};

// The state behind one Responder: gives one answer, and a 500 if nobody gave any.
class Exchange {
public:
    Exchange(std::shared_ptr<Mailbox> mailbox, std::weak_ptr<Connection> connection);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    void answer(Response response);

private:
    std::shared_ptr<Mailbox> mailbox_;
    std::weak_ptr<Connection> connection_;
    std::atomic<bool> is_answered_{false};
};

}  // namespace semel::net
