// Small conversions of text: hex digits, UTF-8 checks, decimal numbers and the nearest word.
//
// All functions are pure. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace semel {

[[nodiscard]] std::string to_hex(const std::uint8_t* data, std::size_t size);
// Decodes exactly 2 × size hex digits of either case. Returns false for any other text. The bytes
// in `out` are then unspecified.
[[nodiscard]] bool from_hex(std::string_view hex, std::uint8_t* out, std::size_t size);

// Checks against RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_valid_utf8(std::string_view text);

// Returns the number if the whole text is decimal digits and fits 63 bits, otherwise nullopt.
[[nodiscard]] std::optional<std::int64_t> parse_decimal(std::string_view text);

// Returns the candidate with the smallest edit distance to `word`, for messages like "did you mean
// …?". Returns nullopt if every distance exceeds 2 and a third of the bytes of `word`.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

}  // namespace semel
