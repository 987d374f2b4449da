// connect_first: opens the first connection to a database, and checks that the database can be a
// store. Threads: any. Blocks.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "store/postgres/connection.hpp"
#include "store/postgres/postgres_url.hpp"

namespace semel::postgres {

struct FirstConnection {
    PostgresUrl url;
    ConnectionOptions connecting;  // for further connections
    std::unique_ptr<Connection> connection;
};

// Connects within `patience`. Errors: `refused` if the database is not in UTF-8, otherwise the
// error of parse_url() or of the connection, with the URL but without its password.
[[nodiscard]] Result<FirstConnection> connect_first(
    const std::string& url, std::chrono::milliseconds patience = ConnectionOptions().patience);

}  // namespace semel::postgres
