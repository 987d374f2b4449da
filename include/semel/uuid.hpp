// Uuid: 128 bits, ordered as bytes. Semel makes version 7 (RFC 9562). It begins with a time in
// milliseconds, so that ids sort by the time of their creation.
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

struct Uuid {
    std::array<std::uint8_t, 16> bytes{};

    auto operator<=>(const Uuid&) const = default;
    // Whether all bits are zero. A refused request has this id in its answer.
    [[nodiscard]] bool is_nil() const { return *this == Uuid{}; }
    // Whether version and variant are those of a version 7.
    [[nodiscard]] bool is_version_7() const { return bytes[6] >> 4 == 7 && bytes[8] >> 6 == 2; }
    // Returns the canonical form: 36 characters in lower case.
    [[nodiscard]] std::string to_string() const;

    // Reads the canonical form, in lower or upper case. Returns nullopt for any other text.
    [[nodiscard]] static std::optional<Uuid> parse(std::string_view text);
};

}  // namespace semel

template <>
struct std::hash<semel::Uuid> {
    std::size_t operator()(const semel::Uuid& id) const noexcept {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::memcpy(&high, id.bytes.data(), 8);
        std::memcpy(&low, id.bytes.data() + 8, 8);
        return static_cast<std::size_t>(high ^ (low * 0x9E3779B97F4A7C15ULL));
    }
};
