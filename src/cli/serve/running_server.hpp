// RunningServer: the composition of `semel serve`: store, engine, API and listener, and the order
// in which they start and stop.
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
    // The port is open and answers when this returns.
    // `fences`: where fences are kept, if not in the store.
    [[nodiscard]] static Result<std::unique_ptr<RunningServer>> start(
        const Config& config, std::unique_ptr<Store> store, std::unique_ptr<Store> fences = {});
    ~RunningServer();  // stop()
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;

    // Stops accepting; answers whoever waits; lets running work end within the grace or releases
    // it; writes what is left. Nothing acknowledged is lost. Idempotent.
    void stop();

    [[nodiscard]] std::string url() const;  // for a client on this machine
    [[nodiscard]] StoreInfo store_info() const;
    // Nothing: they are kept in the store.
    [[nodiscard]] std::optional<StoreInfo> fence_store_info() const;
    [[nodiscard]] bool has_tokens() const;

private:
    class Impl;
    explicit RunningServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Blocks.
[[nodiscard]] Result<std::size_t> count_tokens(Store& store);

}  // namespace semel::cli
