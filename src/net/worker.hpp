// Worker: one io thread and the connections that it serves.
//
// Threads: the controlling thread calls the constructor, start_thread() and finish(). Any thread
// may call post(). Everything else is for the io thread alone.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/mailbox.hpp"
#include "net/server_state.hpp"
#include "net/stream.hpp"

namespace semel::net {

class Connection;

class Worker {
public:
    explicit Worker(ServerState& state);
    ~Worker();  // finish()
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void start_thread();
    // Runs the task on the io thread. Any thread.
    void post(std::function<void()> task);
    // Waits until the io thread ends, which it does when no connection is left, and closes the
    // mailbox. Idempotent. Not on the io thread. REQUIRES: all connections are closed or closing.
    void finish();

    [[nodiscard]] boost::asio::io_context& io() { return io_; }
    [[nodiscard]] ServerState& state() { return state_; }
    [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
    // Returns the value of the header Date. It is rendered at most once a second.
    [[nodiscard]] const std::string& date();

    // Starts a connection on this socket, which OpenCount already counts. See Connection::start.
    void adopt(Tcp::socket socket, bool is_over_limit);
    // Drops a connection and its count. A connection calls it once, after it closed its socket.
    void forget(Connection& connection);
    void close_connections_without_request();
    void close_all_connections();

private:
    void run();
    void arm_sweep();
    // Ends connections whose deadline has passed. It runs four times per shortest timeout, every 5
    // to 250 ms. Timers per connection would cost more: a request sets its deadline several times.
    void sweep();

    ServerState& state_;
    boost::asio::io_context io_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
    boost::asio::steady_timer sweep_timer_;
    std::chrono::milliseconds sweep_interval_;
    bool is_sweep_armed_ = false;
    std::shared_ptr<Mailbox> mailbox_;
    std::unordered_map<Connection*, std::shared_ptr<Connection>> connections_;
    std::time_t date_at_ = 0;
    std::string date_;
    std::thread thread_;
};

}  // namespace semel::net
