// Mailbox: brings answers from any thread to the io thread of their connection. Many answers at
// once, as after a group commit, cost one wake-up.
//
// Threads: deliver() any; close() any.
// Lifetime: the Responders share it, so it can outlive its worker. The worker closes it before the
// io_context is destroyed; a closed Mailbox drops every answer.
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

    // Call it once, on the io thread, before the thread runs anything else.
    void bind_to_this_thread() { thread_ = std::this_thread::get_id(); }
    // Answers through `connection`: at once if called on the io thread, else as soon as that thread
    // runs. Drops the answer if the connection no longer exists.
    void deliver(const std::weak_ptr<Connection>& connection, Response response);
    // Drops the answers that wait. After it returns, the io_context is not used again.
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
    bool is_scheduled_ = false;    // under mutex_: empty() is posted and has not run
    bool is_closed_ = false;       // under mutex_
};

// The state behind one Responder, shared by its copies. Delivers the first answer, from any thread,
// and ignores later ones. If it is destroyed without an answer, the client gets a 500, or a 503
// while the server stops.
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
