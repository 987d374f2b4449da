#include "store/sqlite/statement.hpp"

#include <cstring>
#include <utility>

#include <sqlite3.h>

namespace semel::sqlite {
namespace {

const char* chars_of(const std::uint8_t* bytes) {
    return reinterpret_cast<const char*>(bytes);
}

constexpr std::size_t kHalf = 8;
constexpr std::uint64_t kSign = 1ULL << 63;  // flipped, so that signed numbers order like bytes

std::int64_t number_of(const std::uint8_t* bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < kHalf; ++i) {
        number = number << 8 | bytes[i];
    }
    return static_cast<std::int64_t>(number ^ kSign);
}

void write_number(std::int64_t number, std::uint8_t* bytes) {
    const std::uint64_t bits = static_cast<std::uint64_t>(number) ^ kSign;
    for (std::size_t i = 0; i < kHalf; ++i) {
        bytes[i] = static_cast<std::uint8_t>(bits >> (8 * (kHalf - 1 - i)));
    }
}

// An empty view can have no address, which SQLite would read as null.
const char* address_of(std::string_view value) {
    return value.empty() ? "" : value.data();
}

}  // namespace

JobKey::JobKey(const Uuid& id)
    : high(number_of(id.bytes.data())), low(number_of(id.bytes.data() + kHalf)) {}

Uuid JobKey::id() const {
    Uuid id;
    write_number(high, id.bytes.data());
    write_number(low, id.bytes.data() + kHalf);
    return id;
}

Time JobKey::time() const {
    constexpr int kCounterBits = 16;  // and the version
    return from_ms(
        static_cast<std::int64_t>((static_cast<std::uint64_t>(high) ^ kSign) >> kCounterBits));
}

Statement::Statement(Connection& connection, std::string_view sql) : connection_(connection) {
    if (connection_.has_failed()) {
        return;
    }
    const int code =
        sqlite3_prepare_v3(connection_.handle(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &handle_, nullptr);
    if (code != SQLITE_OK) {
        connection_.keep_failure(code, sql);
    }
}

Statement::~Statement() {
    sqlite3_finalize(handle_);
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), handle_(std::exchange(other.handle_, nullptr)) {}

Cursor::~Cursor() {
    sqlite3_reset(statement_.handle_);  // its failure, if any, was kept by step
}

Cursor& Cursor::null() {
    sqlite3_bind_null(statement_.handle_, ++parameter_);
    return *this;
}

Cursor& Cursor::integer(std::int64_t value) {
    sqlite3_bind_int64(statement_.handle_, ++parameter_, value);
    return *this;
}

Cursor& Cursor::text(std::string_view value) {
    sqlite3_bind_text(statement_.handle_, ++parameter_, address_of(value),
                      static_cast<int>(value.size()), SQLITE_STATIC);
    return *this;
}

Cursor& Cursor::bytes(std::string_view value) {
    sqlite3_bind_blob(statement_.handle_, ++parameter_, address_of(value),
                      static_cast<int>(value.size()), SQLITE_STATIC);
    return *this;
}

Cursor& Cursor::id(const Uuid& value) {
    return bytes({chars_of(value.bytes.data()), value.bytes.size()});
}

Cursor& Cursor::hash(const Hash256& value) {
    return bytes({chars_of(value.bytes.data()), value.bytes.size()});
}

Cursor& Cursor::halves(const JobKey& value) {
    return integer(value.high).integer(value.low);
}

Cursor& Cursor::optional_integer(std::optional<std::int64_t> value) {
    return value ? integer(*value) : null();
}

Cursor& Cursor::optional_time(std::optional<Time> value) {
    return value ? time(*value) : null();
}

Cursor& Cursor::optional_id(const std::optional<Uuid>& value) {
    return value ? id(*value) : null();
}

Cursor& Cursor::optional_hash(const std::optional<Hash256>& value) {
    return value ? hash(*value) : null();
}

Cursor& Cursor::optional_bytes(const std::optional<std::string>& value) {
    return value ? bytes(*value) : null();
}

bool Cursor::step() {
    if (statement_.connection_.has_failed()) {
        return false;
    }
    const int code = sqlite3_step(statement_.handle_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        const char* sql = sqlite3_sql(statement_.handle_);
        statement_.connection_.keep_failure(code, sql);
    }
    return code == SQLITE_ROW;
}

bool Cursor::next_row() {
    column_ = 0;
    return step();
}

void Cursor::change_one() {
    Connection& connection = statement_.connection_;
    change_any();
    if (!connection.has_failed() && connection.changed_rows() != 1) {
        const char* sql = sqlite3_sql(statement_.handle_);
        connection.keep_failure(
            Error(ErrorCode::corrupt,
                  "a row that was loaded is gone, at `" + std::string(sql).substr(0, 40) + "`"));
    }
}

void Cursor::change_any() {
    const bool has_row = step();
    SEMEL_ASSERT(!has_row);
}

bool Cursor::is_null() const {
    return sqlite3_column_type(statement_.handle_, column_) == SQLITE_NULL;
}

std::int64_t Cursor::read_integer() {
    return sqlite3_column_int64(statement_.handle_, column_++);
}

std::string_view Cursor::view() {
    const void* data = sqlite3_column_blob(statement_.handle_, column_);
    const int size = sqlite3_column_bytes(statement_.handle_, column_);
    ++column_;
    return data == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

std::string Cursor::read_string() {
    return std::string(view());
}

void Cursor::read_exactly(void* out, std::size_t size) {
    const std::string_view stored = view();
    if (stored.size() == size) {  // the schema checks it; a damaged file may still differ
        std::memcpy(out, stored.data(), size);
        return;
    }
    report_damage();
}

void Cursor::report_damage() {
    Connection& connection = statement_.connection_;
    connection.keep_failure(
        Error(ErrorCode::corrupt, connection.path() + ": a row is damaged, at `" +
                                      std::string(sqlite3_sql(statement_.handle_)).substr(0, 40) +
                                      "`; restore the file from a backup"));
}

Uuid Cursor::read_id() {
    Uuid value;
    read_exactly(value.bytes.data(), value.bytes.size());
    return value;
}

Uuid Cursor::read_key() {
    const std::int64_t high = read_integer();
    return JobKey(high, read_integer()).id();
}

Hash256 Cursor::read_hash() {
    Hash256 value;
    read_exactly(value.bytes.data(), value.bytes.size());
    return value;
}

std::optional<std::int64_t> Cursor::read_optional_integer() {
    if (is_null()) {
        skip();
        return std::nullopt;
    }
    return read_integer();
}

std::optional<Time> Cursor::read_optional_time() {
    const auto ms = read_optional_integer();
    return ms ? std::optional(from_ms(*ms)) : std::nullopt;
}

std::optional<Uuid> Cursor::read_optional_id() {
    if (is_null()) {
        skip();
        return std::nullopt;
    }
    return read_id();
}

std::optional<Hash256> Cursor::read_optional_hash() {
    if (is_null()) {
        skip();
        return std::nullopt;
    }
    return read_hash();
}

std::optional<std::string> Cursor::read_optional_string() {
    if (is_null()) {
        skip();
        return std::nullopt;
    }
    return read_string();
}

}  // namespace semel::sqlite
