// Hash256, sha256 and FieldHasher: SHA-256 of bytes, or of a list of fields.
//
// FieldHasher writes the length before each field, so two different lists never hash the same
// input. constant_time_equal compares secrets.
//
// Errors: none. If OpenSSL fails, an assertion ends the process.
// Threads: any. One FieldHasher belongs to one thread at a time.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace semel {

struct Hash256 {
    std::array<std::uint8_t, 32> bytes{};

    auto operator<=>(const Hash256&) const = default;
    [[nodiscard]] std::string to_hex() const;
    // Returns nullopt unless `hex` is exactly 64 hex digits, in either case.
    [[nodiscard]] static std::optional<Hash256> parse(std::string_view hex);
};

[[nodiscard]] Hash256 sha256(std::string_view data);

// Hashes a domain tag and fields. ("ab","c") and ("a","bc") give different hashes:
//   input := field*     field := length (8 bytes, big endian) bytes
class FieldHasher {
public:
    explicit FieldHasher(std::string_view domain_tag) { field(domain_tag); }

    FieldHasher& field(std::string_view value);
    [[nodiscard]] Hash256 finish() const { return sha256(input_); }

private:
    std::string input_;
};

// Compares secrets. The time depends on their lengths only, not on the place where they differ.
[[nodiscard]] bool constant_time_equal(std::string_view a, std::string_view b);

}  // namespace semel

template <>
struct std::hash<semel::Hash256> {
    std::size_t operator()(const semel::Hash256& digest) const noexcept {
        std::size_t value = 0;  // already uniform: any eight bytes will do
        std::memcpy(&value, digest.bytes.data(), sizeof(value));
        return value;
    }
};
