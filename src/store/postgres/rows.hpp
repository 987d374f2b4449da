// Rows: what a statement answered, in PostgreSQL's binary format.
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

// libpq's, so that only this folder's sources include its header.
struct pg_result;

namespace semel::postgres {

class Rows {
public:
    // Takes the result over.
    explicit Rows(pg_result* result);

    [[nodiscard]] pg_result* get() const { return result_.get(); }

    // Steps to the next row; false behind the last. Columns are then read in order.
    bool next_row();
    [[nodiscard]] int size() const;
    // Rows that the statement inserted, changed or deleted.
    [[nodiscard]] std::int64_t affected() const;

    // Whether the column that is read next has no value.
    [[nodiscard]] bool is_null() const;
    std::int64_t read_integer();
    int read_int() { return static_cast<int>(read_integer()); }
    bool read_boolean() { return sized(1) != std::string_view("\0", 1); }
    Time read_time() { return from_ms(read_integer()); }
    Uuid read_id();
    Hash256 read_hash();
    Tid read_tid();
    std::string read_string() { return std::string(view()); }
    // Until the next row set is read.
    std::string_view view();

    std::optional<std::int64_t> read_optional_integer();
    std::optional<bool> read_optional_boolean();
    std::optional<Time> read_optional_time();
    std::optional<Uuid> read_optional_id();
    std::optional<Hash256> read_optional_hash();
    std::optional<std::string> read_optional_string();

    // Whether a value had another size than its type: the schema is not the one we know.
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
