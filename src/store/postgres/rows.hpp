// Rows: the answer to a statement, in PostgreSQL's binary format.
//
// Call next_row(), then read each column once, in order. A value of the wrong size is read as zero,
// and is_damaged() returns true. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"
#include "store/postgres/params.hpp"

// A type of libpq. The declaration keeps libpq's header out of other folders.
struct pg_result;

namespace semel::postgres {

class Rows {
public:
    // Takes ownership of the result.
    explicit Rows(pg_result* result);

    [[nodiscard]] pg_result* get() const { return result_.get(); }

    // Moves to the next row. Returns false after the last one.
    bool next_row();
    [[nodiscard]] int size() const;
    // The number of rows that the statement inserted, changed or deleted.
    [[nodiscard]] std::int64_t affected() const;

    // Returns true if the next column is null.
    [[nodiscard]] bool is_null() const;
    std::int64_t read_integer();
    int read_int() { return static_cast<int>(read_integer()); }
    bool read_boolean() { return sized(1) != std::string_view("\0", 1); }
    Time read_time() { return from_ms(read_integer()); }
    Uuid read_id();
    Hash256 read_hash();
    Tid read_tid();
    std::string read_string() { return std::string(view()); }
    // The bytes of a column. Valid as long as this object lives.
    std::string_view view();

    std::optional<std::int64_t> read_optional_integer();
    std::optional<bool> read_optional_boolean();
    std::optional<Time> read_optional_time();
    std::optional<Uuid> read_optional_id();
    std::optional<Hash256> read_optional_hash();
    std::optional<std::string> read_optional_string();

    // Returns true if a value had the wrong size for its type: the schema is not this program's.
    [[nodiscard]] bool is_damaged() const { return damaged_; }
    void report_damage() { damaged_ = true; }

private:
    struct Clear {
        void operator()(pg_result* result) const;
    };

    std::string_view sized(std::size_t size);

    std::unique_ptr<pg_result, Clear> result_;
    int row_ = -1;
    int column_ = 0;
    bool damaged_ = false;
};

}  // namespace semel::postgres
