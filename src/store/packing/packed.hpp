// Packer and Unpacker: write and read the fields of a row as one column of bytes. SQLite's cost
// grows with each column of each statement, and a packed field costs only its bytes.
//
// The caller reads the fields in the order in which they were written. Stored formats must not
// change: a new format gets a new version. Errors: see Unpacker::is_damaged(). Threads: one at a
// time.
//
//   packed := version (1 byte) field*        number := zigzag, base 128, least group first
//   bytes  := length (number) byte*          id, hash := 16 or 32 bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"

namespace semel {

class Packer {
public:
    explicit Packer(char version) {
        bytes_.reserve(kUsualBytes);
        bytes_.push_back(version);
    }

    void number(std::int64_t value);
    void bytes(std::string_view value);
    void id(const Uuid& value) { raw(value.bytes.data(), value.bytes.size()); }
    void hash(const Hash256& value) { raw(value.bytes.data(), value.bytes.size()); }
    void time(Time value) { number(to_ms(value)); }

    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    static constexpr std::size_t kUsualBytes = 192;  // enough for most rows

    void raw(const std::uint8_t* data, std::size_t size);

    std::string bytes_;
};

// Reads the bytes of a Packer. Missing or damaged fields are read as zero or empty, and
// is_damaged() returns true. The Unpacker never reads outside `bytes`, which must outlive it.
class Unpacker {
public:
    // Bytes of a version outside the range are damaged.
    Unpacker(std::string_view bytes, char version) : Unpacker(bytes, version, version) {}
    Unpacker(std::string_view bytes, char first_version, char last_version);

    [[nodiscard]] char version() const { return version_; }

    std::int64_t number();
    int integer() { return static_cast<int>(number()); }
    Time time() { return from_ms(number()); }
    std::string_view bytes();
    std::string string() { return std::string(bytes()); }
    Uuid id();
    Hash256 hash();

    // Returns true if a field was missing so far.
    [[nodiscard]] bool is_short() const { return damaged_; }
    // Returns true if a field was missing, or if bytes are left after the last field.
    [[nodiscard]] bool is_damaged() const { return damaged_ || !rest_.empty(); }

private:
    [[nodiscard]] std::string_view take(std::size_t size);

    std::string_view rest_;
    char version_ = 0;
    bool damaged_ = false;
};

// A bit set that says which optional fields follow. add() and next() must be called in the same
// order.
class Presence {
public:
    Presence() = default;
    explicit Presence(std::int64_t bits) : bits_(static_cast<std::uint64_t>(bits)) {}

    void add(bool present) { bits_ |= static_cast<std::uint64_t>(present ? 1 : 0) << count_++; }
    [[nodiscard]] bool next() { return ((bits_ >> count_++) & 1U) != 0; }
    [[nodiscard]] std::int64_t bits() const { return static_cast<std::int64_t>(bits_); }

private:
    std::uint64_t bits_ = 0;
    unsigned count_ = 0;
};

}  // namespace semel
