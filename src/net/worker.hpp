// One io thread with the connections that live on it. All but the constructor, run_on_thread,
// post and finish is for that thread alone.
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
    // From any thread.
    void post(std::function<void()> task);
    // From any other thread: waits for the thread's end. Connections must be closed or closing.
    void finish();

    [[nodiscard]] boost::asio::io_context& io() { return io_; }
    [[nodiscard]] ServerState& state() { return state_; }
    [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
    // The Date header's value, made at most once a second.
    [[nodiscard]] const std::string& date();

    // Takes a connection that OpenCount already counts. With `is_over_limit` it only gets a 503.
    void adopt(Tcp::socket socket, bool is_over_limit);
    // Called by a connection once, when it has closed its socket.
    void forget(Connection& connection);
    void close_connections_without_request();
    void close_all_connections();

private:
    void run();
    void arm_sweep();
    // Deadlines are looked at a few times per shortest timeout, not each with a timer of its own:
    // setting one is then an assignment, which a request does several times.
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
