// Hex, UTF-8, and numbers in text: the few byte-level forms that every room needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace semel {

[[nodiscard]] std::string to_hex(const std::uint8_t* data, std::size_t size);
// Exactly 2 × size hex digits, either case; false (and `out` unspecified) otherwise.
[[nodiscard]] bool from_hex(std::string_view hex, std::uint8_t* out, std::size_t size);

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_valid_utf8(std::string_view text);

// The whole text as a decimal number without sign, space or overflow.
[[nodiscard]] std::optional<std::int64_t> parse_decimal(std::string_view text);

// The candidate nearest to `word` by edit distance, if it is near enough to be meant.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

}  // namespace semel
