// What may be a name: tenants, types, lock groups, workers, schedules.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "core/limits.hpp"

namespace semel {

// C0, DEL and, in UTF-8, C1: all of them steer some terminal.
[[nodiscard]] inline bool has_control_character(std::string_view text) {
    unsigned char before = 0;
    return std::any_of(text.begin(), text.end(), [&before](char c) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_c1 = before == 0xC2 && byte >= 0x80 && byte <= 0x9F;
        before = byte;
        return byte < 0x20 || byte == 0x7F || is_c1;
    });
}

// 1 to 255 bytes of UTF-8 without control characters.
[[nodiscard]] inline bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= kNameBytesMax && !has_control_character(text) &&
           is_valid_utf8(text);
}

}  // namespace semel
