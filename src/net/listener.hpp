// Accepts connections and gives each to one worker in turn.
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

// Lives on the first worker's thread once started.
class Listener {
public:
    // REQUIRES: at least one worker; they outlive the listener.
    Listener(ServerState& state, const std::vector<std::unique_ptr<Worker>>& workers);

    // Binds and listens. The error names the address.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] std::uint16_t port() const { return port_; }
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
