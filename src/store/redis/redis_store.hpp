// The store for fences only: their claims and sources in one Redis server. Threads: any. The
// functions block.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/clocks/store_clock.hpp"
#include "store/store.hpp"

namespace semel {

struct RedisOptions {
    std::string url;  // empty: redis://127.0.0.1:6379
    // Replaces the server's clock in tests.
    std::optional<std::function<ClockSample()>> clock = {};
};

// Connects and checks the server's version, role, and the user's rights. Commits write claims,
// contents and sources, and skip entries of the decision log, which belong to the main store. Loads
// of other rows are refused, and reads of them are empty.
// Errors: `refused` if the server is too old, a replica or a cluster, or denies a right.
// `unavailable` or `timeout` if it does not answer.
// Threads: see Store.
[[nodiscard]] Result<std::unique_ptr<Store>> open_redis_store(const RedisOptions& options);

// Inspects a server without opening the store. Changes nothing.
struct RedisInspection {
    StoreInfo info;
    std::vector<StoreWarning> warnings;
};
[[nodiscard]] Result<RedisInspection> inspect_redis(const std::string& url);

// The URL without its password, for messages. Error: `invalid`, without quoting the URL.
[[nodiscard]] Result<std::string> shown_redis_url(const std::string& url);

}  // namespace semel
