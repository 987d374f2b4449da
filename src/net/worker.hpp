// Worker: the connections of one server on one io thread. It starts, holds and closes them.
//
// Threads: the io thread, which also drops the last reference.
// Lifetime: its connections hold it, and it holds them until they are closed.
#pragma once

#include <memory>
#include <unordered_map>

#include "net/deadline_sweep.hpp"
#include "net/io_thread.hpp"
#include "net/server_state.hpp"
#include "net/stream.hpp"

namespace semel::net {

class Connection;

class Worker : public std::enable_shared_from_this<Worker> {
public:
    // The io thread outlives the worker.
    Worker(std::shared_ptr<ServerState> state, IoThread& io_thread);

    [[nodiscard]] IoThread& io_thread() { return io_thread_; }
    [[nodiscard]] ServerState& state() { return *state_; }

    // Starts a connection on this socket, which OpenCount already counts. See Connection::start.
    void adopt(Tcp::socket socket, bool is_over_limit);
    // Drops a connection and its count. A connection calls it once, after it closed its socket.
    void forget(Connection& connection);
    void close_connections_without_request();
    void close_all_connections();

private:
    std::shared_ptr<ServerState> state_;
    IoThread& io_thread_;
    DeadlineSweep sweep_;
    std::unordered_map<Connection*, std::shared_ptr<Connection>> connections_;
};

}  // namespace semel::net
