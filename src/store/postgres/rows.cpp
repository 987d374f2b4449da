#include "store/postgres/rows.hpp"

#include <charconv>
#include <cstring>

#include <libpq-fe.h>

namespace semel::postgres {

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

Rows::Rows(pg_result* result) : result_(result) {}

bool Rows::next_row() {
    column_ = 0;
    return ++row_ < size();
}

int Rows::size() const {
    return PQntuples(result_.get());
}

std::int64_t Rows::affected() const {
    const std::string_view text = PQcmdTuples(result_.get());
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

bool Rows::is_null() const {
    return PQgetisnull(result_.get(), row_, column_) != 0;
}

std::string_view Rows::view() {
    const char* data = PQgetvalue(result_.get(), row_, column_);
    const int size = PQgetlength(result_.get(), row_, column_);
    ++column_;
    return {data, static_cast<std::size_t>(size)};
}

std::string_view Rows::sized(std::size_t size) {
    static constexpr std::string_view kZeros(
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        32);
    const std::string_view bytes = view();
    if (bytes.size() != size) {
        damaged_ = true;
        return kZeros.substr(0, size);
    }
    return bytes;
}

std::int64_t Rows::read_integer() {
    // Reads int2, int4 and int8, whose sizes differ.
    const std::string_view bytes = view();
    if (bytes.empty() || bytes.size() > sizeof(std::int64_t)) {
        damaged_ = true;
        return 0;
    }
    auto value = static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<signed char>(bytes.front())));
    for (const char byte : bytes.substr(1)) {
        value = value << 8 | static_cast<unsigned char>(byte);
    }
    return static_cast<std::int64_t>(value);
}

Uuid Rows::read_id() {
    Uuid id;
    std::memcpy(id.bytes.data(), sized(id.bytes.size()).data(), id.bytes.size());
    return id;
}

Hash256 Rows::read_hash() {
    Hash256 hash;
    std::memcpy(hash.bytes.data(), sized(hash.bytes.size()).data(), hash.bytes.size());
    return hash;
}

Tid Rows::read_tid() {
    Tid tid;
    std::memcpy(tid.bytes.data(), sized(tid.bytes.size()).data(), tid.bytes.size());
    return tid;
}

std::optional<std::int64_t> Rows::read_optional_integer() {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return read_integer();
}

std::optional<bool> Rows::read_optional_boolean() {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return read_boolean();
}

std::optional<Time> Rows::read_optional_time() {
    const auto value = read_optional_integer();
    return value ? std::optional(from_ms(*value)) : std::nullopt;
}

std::optional<Uuid> Rows::read_optional_id() {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return read_id();
}

std::optional<Hash256> Rows::read_optional_hash() {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return read_hash();
}

std::optional<std::string> Rows::read_optional_string() {
    if (is_null()) {
        ++column_;
        return std::nullopt;
    }
    return read_string();
}

}  // namespace semel::postgres
