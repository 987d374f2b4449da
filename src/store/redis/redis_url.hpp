// What the URL of a Redis server says: redis://[[user]:password@]host[:port][/database].
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel::redis {

inline constexpr const char* kDefaultUrl = "redis://127.0.0.1:6379";

struct RedisUrl {
    std::string host;
    int port = 6379;
    std::string user = {};  // empty: the default one
    std::string password = {};
    int database = 0;
    std::string shown = {};  // without the password: for people

    bool operator==(const RedisUrl&) const = default;
};

// An error never quotes the URL: a part of it may be a password that went astray.
[[nodiscard]] Result<RedisUrl> parse_url(const std::string& url);

}  // namespace semel::redis
