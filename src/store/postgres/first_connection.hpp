// The connection that a store is opened with: whether the database can be a store at all.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "store/postgres/connection.hpp"
#include "store/postgres/postgres_url.hpp"

namespace semel::postgres {

struct FirstConnection {
    PostgresUrl url;
    ConnectionOptions connecting;  // for those that follow
    std::unique_ptr<Connection> connection;
};

// `refused`: the database is not in UTF-8.
[[nodiscard]] Result<FirstConnection> connect_first(
    const std::string& url, std::chrono::milliseconds patience = ConnectionOptions().patience);

}  // namespace semel::postgres
