// What a fence that this server acknowledged survives, by its own settings; and what people should
// set otherwise.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/redis/connection.hpp"
#include "store/store.hpp"

namespace semel::redis {

// By their names on the server; empty: it does not say, as managed ones do not.
struct ServerSettings {
    std::string appendonly = {};
    std::string appendfsync = {};
    std::string maxmemory_policy = {};
    std::string version = {};
    std::string mode = {};  // standalone, sentinel or cluster
    std::string role = {};
    int replicas = 0;

    bool operator==(const ServerSettings&) const = default;
};

[[nodiscard]] Result<ServerSettings> read_settings(Connection& connection);
// Why such a server cannot hold fences at all.
[[nodiscard]] Result<void> check_usable(const ServerSettings& settings);

// One sentence. Redis is never taken for durable: a failover loses what the replica has not seen.
[[nodiscard]] std::string promise_of(const ServerSettings& settings);
[[nodiscard]] std::vector<StoreWarning> warnings_of(const ServerSettings& settings);

// The same as time goes on: somebody may change the settings while nodes run.
class PromiseWatch {
public:
    explicit PromiseWatch(ServerSettings first) : present_(std::move(first)) {}

    // On one thread; what fails is done the next time.
    void look(Connection& connection);
    // Thread-safe.
    [[nodiscard]] ServerSettings present() const;

private:
    mutable std::mutex mutex_;
    ServerSettings present_;  // guarded by mutex_
};

}  // namespace semel::redis
