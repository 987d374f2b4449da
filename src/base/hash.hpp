// SHA-256, and the unambiguous way to feed it: every field is preceded by its length.
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
    [[nodiscard]] static std::optional<Hash256> parse(std::string_view hex);
};

[[nodiscard]] Hash256 sha256(std::string_view data);

// Hashes a domain tag and fields so that ("ab","c") and ("a","bc") differ:
//   input := field*     field := length (8 bytes, big endian) bytes
class FieldHasher {
public:
    explicit FieldHasher(std::string_view domain_tag) { field(domain_tag); }

    FieldHasher& field(std::string_view value);
    [[nodiscard]] Hash256 finish() const { return sha256(input_); }

private:
    std::string input_;
};

// Compares secrets in time that does not depend on where they differ.
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
