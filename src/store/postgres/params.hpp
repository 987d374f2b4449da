// Params: the parameters of a statement, in PostgreSQL's binary format. Each value has a type, so
// statements need no casts. Values are bound in the order of the calls, as $1, $2, … Errors: none.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"

namespace semel::postgres {

// PostgreSQL's numbers for types (pg_type.dat). They never change.
enum class Type : unsigned {
    boolean = 16,
    bytea = 17,
    int8 = 20,
    text = 25,
    tid = 27,
    uuid = 2950,
};

// The position of a row version in its table (`ctid`): it is found without an index. Valid only in
// the transaction that read it.
struct Tid {
    std::array<char, 6> bytes{};
};

// One column of many rows: an array with one dimension.
class Array {
public:
    explicit Array(Type element) : element_(element) {}

    void null();
    void integer(std::int64_t value);
    void boolean(bool value);
    void bytes(std::string_view value);  // bytea and text
    void id(const Uuid& value);
    void hash(const Hash256& value);
    void tid(const Tid& value);
    void time(Time value) { integer(to_ms(value)); }

    void optional_integer(const std::optional<std::int64_t>& value) {
        value ? integer(*value) : null();
    }
    void optional_time(const std::optional<Time>& value) { value ? time(*value) : null(); }
    void optional_bytes(const std::optional<std::string>& value) { value ? bytes(*value) : null(); }
    void optional_id(const std::optional<Uuid>& value) { value ? id(*value) : null(); }
    void optional_hash(const std::optional<Hash256>& value) { value ? hash(*value) : null(); }

    [[nodiscard]] std::size_t size() const { return count_; }

private:
    friend class Params;

    Type element_;
    std::size_t count_ = 0;
    bool has_null_ = false;
    std::string elements_;
};

[[nodiscard]] Array array_of(const std::vector<Uuid>& ids);
[[nodiscard]] Array array_of(const std::vector<Hash256>& hashes);
[[nodiscard]] Array array_of(const std::vector<std::string>& texts);

class Params {
public:
    Params& null(Type type);
    Params& integer(std::int64_t value);
    Params& boolean(bool value);
    Params& text(std::string_view value);
    Params& bytes(std::string_view value);
    Params& id(const Uuid& value);
    Params& hash(const Hash256& value);
    Params& time(Time value) { return integer(to_ms(value)); }
    Params& array(const Array& value);

    [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
    [[nodiscard]] const std::vector<unsigned>& types() const { return types_; }
    [[nodiscard]] const std::vector<std::optional<std::string>>& values() const { return values_; }

private:
    Params& add(unsigned type, std::optional<std::string> value);

    std::vector<unsigned> types_;
    std::vector<std::optional<std::string>> values_;
};

}  // namespace semel::postgres
