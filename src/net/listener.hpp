// Listener: accepts connections on one port and gives them to the workers, one after another.
//
// Threads: open() and port() before the workers start; accept() and close() on the first worker's
// thread; port() from any thread once open() has returned.
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

class Listener {
public:
    // REQUIRES: at least one worker. `state` and `workers` outlive the listener.
    Listener(ServerState& state, const std::vector<std::unique_ptr<Worker>>& workers);

    // Binds and listens. Errors: `busy` if the port is taken, else `unavailable`, with the address.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] std::uint16_t port() const { return port_; }
    // Accepts until close(). If accepting fails (like without file descriptors), tries again after
    // 50 ms. A connection above Limits::connections_max gets a 503, or is closed.
    void accept();
    void close();

private:
    bool accept_waiting();
    void hand_over(Tcp::socket socket, Worker& worker);

    ServerState& state_;
    const std::vector<std::unique_ptr<Worker>>& workers_;
    std::size_t next_worker_ = 0;
    Tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    std::uint16_t port_ = 0;
};

}  // namespace semel::net
