// Tx: your own SQL statements in a commit of the engine, such as the commit that ends a job. For
// embedded stores. On PostgreSQL a handler ends its job in its own transaction: see
// docs/guides/chains.md.
//
//   tx.execute("update app_account set cents = cents - ? where id = ?", 250, "ada");
//   const auto rows = tx.query("select cents from app_account where id = ?", "ada");
//
// Names: the dialect is SQLite's. Names of your tables, views, indexes and triggers begin with
// `app_`. Statements on other names are refused, because those belong to the store. Transactions,
// savepoints, pragmas, `attach` and temporary tables are refused too, because the transaction is
// the engine's.
//
// Limits: 100 ms of processor time or 1 s in all, per function that receives a Tx. No other commit
// happens in this time. Beyond a limit its statements are undone, and the attempt or the call
// fails.
//
// The function must not call the engine. Calls that change something or wait are refused meanwhile,
// because the engine waits for the function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace semel {

// A value of SQLite's type BLOB.
struct SqlBlob {
    std::string bytes;

    bool operator==(const SqlBlob&) const = default;
};

// `nullptr` is the null of SQL.
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string, SqlBlob>;
using SqlRow = std::vector<SqlValue>;

// A statement failed or was refused. If the function catches it, the statements before it remain.
class SqlError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Threads: only the thread that runs the function which received it.
// Lifetime: ends when that function returns.
class Tx {
public:
    Tx(const Tx&) = delete;
    Tx& operator=(const Tx&) = delete;

    // Runs one statement, with one value for each `?`: a whole number, a double, text, SqlBlob or
    // nullptr. Returns the number of rows that it changed. Throws SqlError.
    template <typename... Values>
    std::int64_t execute(std::string_view sql, const Values&... values) {
        return run(sql, {to_value(values)...}).changed;
    }

    // Like execute(), but returns the rows of the result.
    template <typename... Values>
    [[nodiscard]] std::vector<SqlRow> query(std::string_view sql, const Values&... values) {
        return run(sql, {to_value(values)...}).rows;
    }

protected:
    struct Ran {
        std::int64_t changed = 0;
        std::vector<SqlRow> rows = {};
    };

    Tx() = default;
    ~Tx() = default;
    // Throws SqlError.
    virtual Ran run(std::string_view sql, const std::vector<SqlValue>& values) = 0;

private:
    template <typename Value>
    [[nodiscard]] static SqlValue to_value(const Value& value) {
        if constexpr (std::is_integral_v<Value>) {
            return static_cast<std::int64_t>(value);
        } else if constexpr (!std::is_null_pointer_v<Value> &&
                             std::is_convertible_v<const Value&, std::string_view>) {
            return std::string(std::string_view(value));
        } else {
            return SqlValue(value);
        }
    }
};

}  // namespace semel
