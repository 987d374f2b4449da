// A store for fences and nothing else: claims and their sources in Redis.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "store/store_clock.hpp"

namespace semel {

struct RedisOptions {
    std::string url;  // empty: a server on this machine
    // In place of the server's clock, for tests.
    std::optional<std::function<ClockSample()>> clock = {};
};

// Its commits write claims, contents and sources; lines of the decision log are for another store,
// and other rows are refused. `refused`: the server is too old, a replica, or does not let us in.
[[nodiscard]] Result<std::unique_ptr<Store>> open_redis_store(const RedisOptions& options);

// What opening it would find. Changes nothing.
struct RedisLook {
    StoreInfo info;
    std::vector<StoreWarning> warnings;
};
[[nodiscard]] Result<RedisLook> look_at_redis(const std::string& url);

// What the URL is called where people see it; the reason why it is none.
[[nodiscard]] Result<std::string> shown_redis_url(const std::string& url);

}  // namespace semel
