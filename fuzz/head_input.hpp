// What the two fuzz targets of heads share: the way of arriving bytes through the scanner.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "base/assert.hpp"
#include "net/head.hpp"

namespace semel::net {

// The head at the beginning of the bytes, if there is a whole one. It is the same however the bytes
// are cut on their way.
inline std::optional<std::string_view> scan_head(std::string_view bytes, std::size_t cut) {
    HeadScanner at_once;
    const auto whole = at_once.scan(bytes);
    HeadScanner in_parts;
    auto step = in_parts.scan(bytes.substr(0, std::min(cut, bytes.size())));
    if (std::holds_alternative<HeadScanner::Incomplete>(step)) {
        step = in_parts.scan(bytes);
    }
    SEMEL_ASSERT(step.index() == whole.index());
    const auto* complete = std::get_if<HeadScanner::Complete>(&whole);
    if (complete == nullptr) return std::nullopt;
    SEMEL_ASSERT(complete->size == std::get<HeadScanner::Complete>(step).size);
    SEMEL_ASSERT(complete->size <= bytes.size());
    SEMEL_ASSERT(bytes.substr(0, complete->size).ends_with("\r\n\r\n"));
    return bytes.substr(0, complete->size);
}

// What no accepted head may hand on.
inline void check_headers(const std::vector<Header>& headers) {
    for (const Header& header : headers) {
        SEMEL_ASSERT(is_token(header.name));
        SEMEL_ASSERT(is_field_value(header.value));
        SEMEL_ASSERT(header.value.find_first_of("\r\n") == std::string::npos);
    }
}

}  // namespace semel::net
