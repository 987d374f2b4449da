// Tx: statements of a handler's own, in the commit that ends its job. For embedded stores; on
// PostgreSQL a handler ends its job in a transaction of its own (see docs/guides/chains.md).
//
//   tx.execute("update app_account set cents = cents - ? where id = ?", 250, "ada");
//   const auto rows = tx.query("select cents from app_account where id = ?", "ada");
//
// The dialect is SQLite's. Tables, views and indexes of yours have names that begin with `app_`:
// others belong to the store, and statements that touch them are refused. So are transactions and
// savepoints, pragmas, attached and temporary things: the transaction is the engine's.
//
// Whoever has a Tx holds up everybody who writes: after 100 ms the statements are undone, and the
// attempt fails. The engine waits for them: calls that would change something are refused.
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

// Bytes that are no text.
struct SqlBlob {
    std::string bytes;

    bool operator==(const SqlBlob&) const = default;
};

// `nullptr` is SQL's null.
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string, SqlBlob>;
using SqlRow = std::vector<SqlValue>;

// A statement that failed, or was refused. Those before it stand, if whoever catches it goes on.
class SqlError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Used by one thread, while the function that was given it runs.
class Tx {
public:
    Tx(const Tx&) = delete;
    Tx& operator=(const Tx&) = delete;

    // Runs one statement, with a value for each `?`. Answers how many rows it changed.
    template <typename... Values>
    std::int64_t execute(std::string_view sql, const Values&... values) {
        return run(sql, {to_value(values)...}).changed;
    }
    // The same, and answers the rows that it gives.
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
