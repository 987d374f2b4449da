#include "gateway/normal_path.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace semel::gateway {
namespace {

Error refused(const std::string& why) {
    return {ErrorCode::invalid, "the path " + why};
}

// RFC 3986, section 2.3.
bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

bool is_raw_character(char c) {
    return c > ' ' && c < 0x7F && c != '\\' && c != '?' && c != '#';
}

// Appends the escape in its normal form. `rest` begins with the `%`.
Result<void> append_escape(std::string_view rest, std::string& out) {
    std::uint8_t byte = 0;
    if (rest.size() < 3 || !from_hex(rest.substr(1, 2), &byte, 1)) {
        return refused("has a `%` that two hex digits do not follow");
    }
    const char decoded = static_cast<char>(byte);
    if (decoded == '/' || decoded == '\\' || decoded == '\0') {
        return refused("has the escape `" + std::string(rest.substr(0, 3)) +
                       "`, which servers read in different ways");
    }
    if (is_unreserved(decoded)) {
        out += decoded;
        return {};
    }
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0x0F];
    return {};
}

// Some servers remove a `;` and the text behind it before they look for dot segments.
bool is_dot_segment(std::string_view segment) {
    const std::string_view name = segment.substr(0, segment.find(';'));
    return name == "." || name == "..";
}

Result<void> check_segments(std::string_view path) {
    for (std::size_t begin = 1; begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view segment = path.substr(begin, end - begin);
        if (segment.empty()) {
            return refused("has an empty segment: `//`");
        }
        if (is_dot_segment(segment)) {
            return refused("has the dot segment `" + std::string(segment) +
                           "`; write the path without it");
        }
        begin = end + 1;
    }
    return {};
}

}  // namespace

Result<std::string> normal_path(std::string_view raw) {
    if (!raw.starts_with('/')) {
        return refused("must begin with `/`");
    }
    std::string path;
    path.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] == '%') {
            SEMEL_CHECK(append_escape(raw.substr(i), path));
            i += 2;
        } else if (is_raw_character(raw[i])) {
            path += raw[i];
        } else {
            return refused("has a backslash, or a character that must be escaped");
        }
    }
    SEMEL_CHECK(check_segments(path));
    return path;
}

}  // namespace semel::gateway
