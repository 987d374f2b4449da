// PostgresUrl: the URL of a PostgreSQL store, which is a URL of libpq with Semel's own options
// after the `?`. Pure. Threads: any.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel::postgres {

struct PostgresUrl {
    std::string url;        // for libpq
    std::string shown;      // without its password
    bool prepared = false;  // ?prepared=true: no pooler in between loses named statements
    int committers = 2;     // ?committers=N: connections that write
};

// is_url() returns true for the URL of a PostgreSQL store, is_keywords() for libpq's other form,
// `host=… dbname=…`.
[[nodiscard]] bool is_url(const std::string& store);
[[nodiscard]] bool is_keywords(const std::string& store);
// Returns true for text like a URL without its slashes. It is no file name, and can have a
// password.
[[nodiscard]] bool is_half_url(const std::string& store);

// Returns the store for messages: a URL without its secrets, or a path unchanged.
[[nodiscard]] std::string shown(const std::string& store);

// Splits a URL. REQUIRES: is_url(url). Errors: `invalid`, with a text that never quotes the URL's
// password.
[[nodiscard]] Result<PostgresUrl> parse_url(const std::string& url);

}  // namespace semel::postgres
