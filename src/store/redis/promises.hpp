// ServerSettings: the settings of a Redis server. They show which failures an acknowledged fence
// survives, and which settings the operator should change. PromiseWatch keeps them up to date while
// the nodes run. Threads: any for the pure functions, otherwise that of the connection.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/redis/connection.hpp"
#include "store/store.hpp"

namespace semel::redis {

// Settings by their names on the server. Empty: the server does not show it, as managed servers do.
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

// Reads the settings. Error: `refused` or others if INFO is denied.
[[nodiscard]] Result<ServerSettings> read_settings(Connection& connection);
// Error: `refused` if the server cannot be a store: too old, a cluster, or a replica.
[[nodiscard]] Result<void> check_usable(const ServerSettings& settings);

// Returns one sentence for people. Redis never counts as durable, because a failover loses the
// commits that the replica has not received.
[[nodiscard]] std::string promise_of(const ServerSettings& settings);
// Returns the settings that the operator should change.
[[nodiscard]] std::vector<StoreWarning> warnings_of(const ServerSettings& settings);

// PromiseWatch: the settings while nodes run, because they can change.
class PromiseWatch {
public:
    explicit PromiseWatch(ServerSettings first) : present_(std::move(first)) {}

    // Reads the settings again. One thread at a time. An error is ignored: the next call tries
    // again.
    void inspect(Connection& connection);
    // Thread-safe.
    [[nodiscard]] ServerSettings present() const;

private:
    mutable std::mutex mutex_;
    ServerSettings present_;  // guarded by mutex_
};

}  // namespace semel::redis
