// The lexical level of the JSON parser: plain text, escapes, and the range of numbers.
//
// Only core/json/json_parser.hpp includes this header. Pure. Threads: any.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "core/json/json_decimal.hpp"

namespace semel::json::detail {

[[nodiscard]] inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Marks, by their highest bit, the bytes of a word that are a quote, a backslash, a control
// character or not ASCII. Exact up to the lowest mark: a borrow can set false marks above it.
[[nodiscard]] inline std::uint64_t special_bytes(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
    const auto zeros = [](std::uint64_t w) { return (w - kOnes) & ~w; };
    const std::uint64_t quote = zeros(word ^ (kOnes * '"'));
    const std::uint64_t backslash = zeros(word ^ (kOnes * '\\'));
    const std::uint64_t control = (word - kOnes * 0x20) & ~word;
    return (quote | backslash | control | word) & kHigh;
}

// Skips plain ASCII text eight bytes at a time, up to the first marked byte. Fewer than eight bytes
// at the end are left to the caller.
[[nodiscard]] inline const char* skip_plain_words(const char* at, const char* end) {
    while (end - at >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof(word));
        if (const std::uint64_t special = special_bytes(word); special != 0) {
            constexpr bool kLittle = std::endian::native == std::endian::little;
            return kLittle ? at + std::countr_zero(special) / 8 : at;
        }
        at += 8;
    }
    return at;
}

// Returns the first byte from `at` on that ends the string, begins an escape or is not allowed in a
// string. REQUIRES: *end is NUL.
[[nodiscard]] inline const char* plain_end(const char* at, const char* end) {
    for (;;) {
        at = skip_plain_words(at, end);
        const auto byte = static_cast<unsigned char>(*at);
        if (byte >= 0x80) {
            const std::size_t length = utf8_sequence(at, end);
            if (length == 0) return at;
            at += length;
        } else if (byte < 0x20 || byte == '"' || byte == '\\') {
            return at;
        } else {
            ++at;
        }
    }
}

// Returns the value of four hex digits at `at`, or -1 without them.
[[nodiscard]] inline int hex4(const char* at, const char* end) {
    if (end - at < 4) return -1;
    int value = 0;
    const auto [stop, failed] = std::from_chars(at, at + 4, value, 16);
    return failed == std::errc{} && stop == at + 4 && *at != '-' ? value : -1;
}

inline void append_utf8(std::string& out, unsigned code_point) {
    const auto tail = [&](unsigned shift) {
        out.push_back(static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU)));
    };
    if (code_point < 0x80) {
        out.push_back(static_cast<char>(code_point));
    } else if (code_point < 0x800) {
        out.push_back(static_cast<char>(0xC0U | (code_point >> 6)));
        tail(0);
    } else if (code_point < 0x10000) {
        out.push_back(static_cast<char>(0xE0U | (code_point >> 12)));
        tail(6);
        tail(0);
    } else {
        out.push_back(static_cast<char>(0xF0U | (code_point >> 18)));
        tail(12);
        tail(6);
        tail(0);
    }
}

// Returns true if the number's double is finite. A number too small for a double passes, because
// the text is kept.
[[nodiscard]] inline bool fits_double(std::string_view text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc{} || decimal_of(text).magnitude() < 0;
}

}  // namespace semel::json::detail
