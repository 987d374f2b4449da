// The URL of a PostgreSQL store: libpq's own, and a few words of ours behind the `?`.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel::postgres {

struct PostgresUrl {
    std::string url;        // for libpq
    std::string shown;      // without its password
    bool prepared = false;  // ?prepared=true: no pooler between that would lose named statements
    int committers = 2;     // ?committers=N: connections that write
};

// Whether this names a PostgreSQL store; or would, were it libpq's other form: `host=… dbname=…`.
[[nodiscard]] bool is_url(const std::string& store);
[[nodiscard]] bool is_keywords(const std::string& store);
// Or a URL that lacks its slashes: no name of a file, and it may hold a password.
[[nodiscard]] bool is_half_url(const std::string& store);

// A store as messages may name it: without the secrets of its URL. A path is shown as it is.
[[nodiscard]] std::string shown(const std::string& store);

// REQUIRES: is_url(url). No error quotes a password, however wrong the URL is.
[[nodiscard]] Result<PostgresUrl> parse_url(const std::string& url);

}  // namespace semel::postgres
