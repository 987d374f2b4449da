// Statement: a prepared statement, for many runs. Cursor: one run of it.
//
// Errors are kept by the connection (see Connection): after one, statements do nothing.
// Threads: the connection's thread.
// Lifetime: a connection outlives its statements, and a statement its cursors. A statement has one
// cursor at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"
#include "store/sqlite/connection.hpp"

struct sqlite3_stmt;

namespace semel::sqlite {

// A job's id as two numbers, in the order of the id's bytes. The first eight bytes begin with the
// time of the id's creation. JobNumbers returns the number of the job's row.
struct JobKey {
    explicit JobKey(const Uuid& id);
    constexpr JobKey(std::int64_t first, std::int64_t second) : high(first), low(second) {}
    [[nodiscard]] Uuid id() const;
    [[nodiscard]] Time time() const;  // when the id was generated
    auto operator<=>(const JobKey&) const = default;

    std::int64_t high;
    std::int64_t low;
};

class Statement {
public:
    // Prepares the statement. A failure is kept by the connection.
    Statement(Connection& connection, std::string_view sql);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    Statement& operator=(Statement&&) = delete;

    [[nodiscard]] bool is_prepared() const { return handle_ != nullptr; }

private:
    friend class Cursor;
    Connection& connection_;
    sqlite3_stmt* handle_ = nullptr;
};

// Binds values in the order of the statement's `?`, and reads columns in their order. Text and
// bytes are not copied, so bound values must outlive the cursor.
class Cursor {
public:
    explicit Cursor(Statement& statement) : statement_(statement) {}
    ~Cursor();
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    Cursor& null();
    Cursor& integer(std::int64_t value);
    Cursor& text(std::string_view value);
    Cursor& bytes(std::string_view value);
    Cursor& id(const Uuid& value);
    Cursor& hash(const Hash256& value);
    Cursor& halves(const JobKey& value);  // two parameters
    Cursor& key(const Uuid& value) { return halves(JobKey(value)); }
    Cursor& time(Time value) { return integer(to_ms(value)); }
    Cursor& optional_integer(std::optional<std::int64_t> value);
    Cursor& optional_time(std::optional<Time> value);
    Cursor& optional_id(const std::optional<Uuid>& value);
    Cursor& optional_hash(const std::optional<Hash256>& value);
    Cursor& optional_bytes(const std::optional<std::string>& value);

    // Runs the statement up to its next row. Returns false without a further row, and after an
    // error.
    [[nodiscard]] bool next_row();
    // Runs a statement that must change exactly one row. Another number is an error.
    void change_one();
    // Runs a statement that changes any number of rows.
    void change_any();

    [[nodiscard]] bool is_null() const;  // the column that is read next
    void skip() { ++column_; }
    std::int64_t read_integer();
    int read_int() { return static_cast<int>(read_integer()); }
    Time read_time() { return from_ms(read_integer()); }
    std::string read_string();  // text or bytes
    std::string_view view();    // the same; valid until the next row
    Uuid read_id();
    Uuid read_key();  // two columns
    Hash256 read_hash();
    std::optional<std::int64_t> read_optional_integer();
    std::optional<Time> read_optional_time();
    std::optional<Uuid> read_optional_id();
    std::optional<Hash256> read_optional_hash();
    std::optional<std::string> read_optional_string();

    // Keeps the error `corrupt`: Semel never wrote the value that was read.
    void report_damage();

private:
    [[nodiscard]] bool step();
    void read_exactly(void* out, std::size_t size);

    Statement& statement_;
    int parameter_ = 0;
    int column_ = 0;
};

}  // namespace semel::sqlite
