// What may be a name: tenants, types, lock groups, workers, schedules.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "core/limits.hpp"

namespace semel {

[[nodiscard]] inline bool has_control_character(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    });
}

// 1 to 255 bytes of UTF-8 without control characters.
[[nodiscard]] inline bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= kNameBytesMax && !has_control_character(text) &&
           is_valid_utf8(text);
}

}  // namespace semel
