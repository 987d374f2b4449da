#include "store/sqlite/sqlite_tx.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <sqlite3.h>

namespace semel::sqlite {
namespace {

constexpr std::size_t kTxSqlShown = 60;  // characters of a statement in an error

SqlError error_at(std::string_view sql, std::string_view reason) {
    return SqlError(fmt::format("{} (at `{}`)", reason, sql.substr(0, kTxSqlShown)));
}

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

// Values outlive the statement.
struct Bind {
    sqlite3_stmt* statement;
    int position;

    int operator()(std::nullptr_t /*null*/) const { return sqlite3_bind_null(statement, position); }
    int operator()(std::int64_t value) const {
        return sqlite3_bind_int64(statement, position, value);
    }
    int operator()(double value) const { return sqlite3_bind_double(statement, position, value); }
    int operator()(const std::string& value) const {
        return sqlite3_bind_text64(statement, position, value.data(), value.size(), SQLITE_STATIC,
                                   SQLITE_UTF8);
    }
    int operator()(const SqlBlob& value) const {
        return sqlite3_bind_blob64(statement, position, value.bytes.data(), value.bytes.size(),
                                   SQLITE_STATIC);
    }
};

// REQUIRES: the column is text or bytes.
std::string bytes_of(sqlite3_stmt* statement, int column) {
    const void* bytes = sqlite3_column_blob(statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return size == 0 ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

SqlValue read_column(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
        case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
        case SQLITE_TEXT: return bytes_of(statement, column);
        case SQLITE_BLOB: return SqlBlob{bytes_of(statement, column)};
        default: return nullptr;
    }
}

SqlRow read_row(sqlite3_stmt* statement) {
    SqlRow row;
    const int columns = sqlite3_column_count(statement);
    for (int column = 0; column < columns; ++column) {
        row.push_back(read_column(statement, column));
    }
    return row;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

// Returns true for failures of the disk or memory, after which the connection cannot be used.
bool is_ours(int code) {
    switch (code & 0xFF) {
        case SQLITE_IOERR:
        case SQLITE_NOMEM:
        case SQLITE_FULL:
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY: return true;
        default: return false;
    }
}

}  // namespace

Tx::Ran SqliteTx::run(std::string_view sql, const std::vector<SqlValue>& values) {
    check_open(sql);
    sqlite3_stmt* prepared = nullptr;
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v2(connection_.handle(), sql.data(),
                                        static_cast<int>(sql.size()), &prepared, &tail);
    const StatementPtr statement(prepared);
    if (code != SQLITE_OK) {
        fail(code, sql);
    }
    if (statement == nullptr ||
        !is_blank(sql.substr(static_cast<std::size_t>(tail - sql.data())))) {
        throw error_at(sql, "give one statement at a time");
    }
    if (sqlite3_bind_parameter_count(prepared) != static_cast<int>(values.size())) {
        throw error_at(sql, fmt::format("it has {} parameters and was given {} values",
                                        sqlite3_bind_parameter_count(prepared), values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int bound = std::visit(Bind{prepared, static_cast<int>(i) + 1}, values[i]);
        if (bound != SQLITE_OK) {
            fail(bound, sql);
        }
    }
    return step_through(prepared, sql);
}

void SqliteTx::check_open(std::string_view sql) const {
    if (guard_.is_over()) {
        throw error_at(sql, kStatementsTookTooLong);
    }
    // Outside of the transaction the statement would be a separate commit.
    if (!connection_.in_transaction() || connection_.has_failed()) {
        throw error_at(sql, "an earlier statement ended the transaction");
    }
}

Tx::Ran SqliteTx::step_through(sqlite3_stmt* statement, std::string_view sql) {
    Ran ran;
    const int before = sqlite3_total_changes(connection_.handle());
    int code = sqlite3_step(statement);
    while (code == SQLITE_ROW) {
        ran.rows.push_back(read_row(statement));
        code = sqlite3_step(statement);
    }
    if (code != SQLITE_DONE) {
        fail(code, sql);
    }
    // If this statement changed nothing, sqlite3_changes() still has the number of an earlier one.
    const bool has_changed = sqlite3_total_changes(connection_.handle()) != before;
    ran.changed = has_changed ? connection_.changed_rows() : 0;
    return ran;
}

void SqliteTx::fail(int code, std::string_view sql) {
    const std::string refusal = guard_.take_refusal();
    if ((code & 0xFF) == SQLITE_INTERRUPT) {
        throw error_at(sql, kStatementsTookTooLong);
    }
    if (is_ours(code)) {
        connection_.keep_failure(code, sql);
    }
    throw error_at(sql, refusal.empty() ? sqlite3_errmsg(connection_.handle()) : refusal.c_str());
}

}  // namespace semel::sqlite
