// is_name: checks the names of tenants, types, lock groups, workers and schedules.
//
// Pure. Threads: any.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "core/limits.hpp"

namespace semel {

// Returns true if the text has a C0, DEL or C1 character (C1 in UTF-8). Terminals treat these as
// commands.
[[nodiscard]] inline bool has_control_character(std::string_view text) {
    unsigned char before = 0;
    return std::any_of(text.begin(), text.end(), [&before](char c) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_c1 = before == 0xC2 && byte >= 0x80 && byte <= 0x9F;
        before = byte;
        return byte < 0x20 || byte == 0x7F || is_c1;
    });
}

// A name has 1 to 255 bytes of UTF-8 without control characters.
[[nodiscard]] inline bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= kNameBytesMax && !has_control_character(text) &&
           is_valid_utf8(text);
}

}  // namespace semel
