// utf8_sequence: measures one well-formed UTF-8 sequence (RFC 3629).
//
// Well-formed means: no overlong form, no surrogate, nothing above U+10FFFF. Pure. Threads: any.
#pragma once

#include <cstddef>

namespace semel {

// Returns the bytes (1 to 4) of the sequence that begins at `at`, or 0 if no valid one begins
// there. REQUIRES: at < end.
[[nodiscard]] inline std::size_t utf8_sequence(const char* at, const char* end) {
    const auto byte = [&](std::ptrdiff_t i) -> unsigned {
        return end - at > i ? static_cast<unsigned char>(at[i]) : 0U;
    };
    const auto continues = [&](std::ptrdiff_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    const unsigned second = byte(1);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4 || !continues(1)) return 0;
    if (lead < 0xE0) return 2;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
    if (!continues(2)) return 0;
    if (lead < 0xF0) return 3;
    return continues(3) ? 4 : 0;
}

}  // namespace semel
