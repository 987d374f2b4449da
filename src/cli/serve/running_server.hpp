// RunningServer: `semel serve` without its command line: store, engine, API, gateway and listener.
// It starts and stops them in their order.
//
// Errors: see start().
// Threads: one controlling thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "config/config.hpp"
#include "store/store.hpp"

namespace semel::cli {

class RunningServer {
public:
    // Starts a server. When it returns, the port is open and requests are served. `fences` is a
    // separate store for fences; null: they are in `store`.
    // Errors: the address or the TLS files cannot be used, or the store cannot be read.
    [[nodiscard]] static Result<std::unique_ptr<RunningServer>> start(
        const Config& config, std::unique_ptr<Store> store, std::unique_ptr<Store> fences = {});
    ~RunningServer();  // stop()
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;

    // Stops accepting, answers waiting requests, and gives running requests and handlers the
    // config's stop_grace (10 s). Then it releases jobs that still run. What was acknowledged is
    // durable. Blocks. Idempotent.
    void stop();

    [[nodiscard]] std::string url() const;          // for a client on this machine
    [[nodiscard]] std::string gateway_url() const;  // empty: no routes
    [[nodiscard]] StoreInfo store_info() const;
    // Returns nullopt if fences are in the store with everything else.
    [[nodiscard]] std::optional<StoreInfo> fence_store_info() const;
    [[nodiscard]] bool has_tokens() const;

private:
    class Impl;
    explicit RunningServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Returns how many API tokens a store has. Blocks. Errors: the store's.
[[nodiscard]] Result<std::size_t> count_tokens(Store& store);

}  // namespace semel::cli
