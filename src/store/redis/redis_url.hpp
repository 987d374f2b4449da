// RedisUrl: the URL of a Redis server: redis://[[user]:password@]host[:port][/database]. Pure.
// Threads: any.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel::redis {

inline constexpr const char* kDefaultUrl = "redis://127.0.0.1:6379";

struct RedisUrl {
    std::string host;
    int port = 6379;
    std::string user = {};  // empty: the server's default user
    std::string password = {};
    int database = 0;
    std::string shown = {};  // for messages: without the password

    bool operator==(const RedisUrl&) const = default;
};

// Splits a URL. Error: `invalid`, with a text that never quotes the URL, because any part can be a
// misplaced password.
[[nodiscard]] Result<RedisUrl> parse_url(const std::string& url);

}  // namespace semel::redis
