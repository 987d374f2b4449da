// Gateway: the HTTP server in front of the upstreams. It finds the route of each request. A request
// that claims a key or a content goes through the engine (PassRun). Any other is streamed
// (pass_by).
//
// Errors: see start().
// Threads: one controlling thread, not an io thread, calls start(), stop() and the destructor.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.hpp"
#include "config/gateway_config.hpp"
#include "engine/node.hpp"
#include "net/io_thread.hpp"

namespace semel::gateway {

class Gateway {
public:
    // When it returns, the port is open. `node` outlives the gateway.
    // Errors: those of RouteTable::make() and net::Server::start().
    [[nodiscard]] static Result<std::unique_ptr<Gateway>> start(const GatewayConfig& config,
                                                                std::shared_ptr<net::IoThreads> io,
                                                                Node& node, Millis stop_grace);
    ~Gateway();  // stop()
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    [[nodiscard]] std::uint16_t port() const;

    // Stops accepting; requests in progress have the grace to be answered. Blocks. Idempotent.
    void stop();

private:
    class Impl;
    explicit Gateway(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel::gateway
