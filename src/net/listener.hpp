// Listener: accepts connections on one port and gives them to the Workers, round robin. A Worker
// (net/worker.hpp) holds the connections of one io thread; it runs no jobs.
//
// Errors: see open().
// Threads: the controlling thread calls open() first. Then the first worker's io thread calls
// accept() and close(), and drops the last reference. port(): any, once open() has returned.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.hpp"
#include "net/server_state.hpp"
#include "net/worker.hpp"

namespace semel::net {

class Listener : public std::enable_shared_from_this<Listener> {
public:
    // REQUIRES: at least one worker.
    Listener(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<Worker>> workers);

    // Binds and listens. Errors: `busy` if the port is taken, else `unavailable`, with the address.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] std::uint16_t port() const { return port_; }
    // Accepts until close(). If accepting fails (like without file descriptors), tries again after
    // 50 ms. A connection above Limits::connections_max gets a 503, or is closed.
    void accept();
    void close();

private:
    bool accept_waiting();
    void hand_over(Tcp::socket socket, const std::shared_ptr<Worker>& worker);

    std::shared_ptr<ServerState> state_;
    std::vector<std::shared_ptr<Worker>> workers_;
    std::size_t next_worker_ = 0;
    Tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    std::uint16_t port_ = 0;
};

}  // namespace semel::net
