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

[[nodiscard]] Result<PostgresUrl> parse_url(const std::string& url);

}  // namespace semel::postgres
