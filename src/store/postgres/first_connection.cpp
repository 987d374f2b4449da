#include "store/postgres/first_connection.hpp"

#include <fmt/format.h>

namespace semel::postgres {
namespace {

// Names and payloads may hold any character. In another encoding some of them could not be written,
// now or ever, and SQL_ASCII would not compare them.
Result<void> check_encoding(Connection& connection) {
    SEMEL_TRY(rows, connection.ask("select current_setting('server_encoding'), "
                                   "current_database()::text"));
    rows.next_row();
    const std::string encoding = rows.read_string();
    if (encoding == "UTF8") {
        return {};
    }
    return Error(
        ErrorCode::refused,
        fmt::format("the database {} has the encoding {}, and a store needs UTF8: make one "
                    "with `create database … encoding 'UTF8' template template0`",
                    rows.read_string(), encoding));
}

}  // namespace

Result<FirstConnection> connect_first(const std::string& url, std::chrono::milliseconds patience) {
    FirstConnection first;
    SEMEL_TRY(parsed, parse_url(url));
    first.connecting.url = parsed.url;
    first.connecting.prepared = parsed.prepared;
    first.connecting.patience = patience;
    auto connection = Connection::open(first.connecting);
    if (!connection) {
        return connection.error().prefixed("cannot open " + parsed.shown);
    }
    if (const auto fits = check_encoding(**connection); !fits) {
        return fits.error().prefixed("cannot open " + parsed.shown);
    }
    first.url = std::move(parsed);
    first.connection = *std::move(connection);
    return first;
}

}  // namespace semel::postgres
