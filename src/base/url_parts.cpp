#include "base/url_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel {

namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_host(std::string_view text) {
    std::string_view port;
    if (!text.empty() && text.front() == '[') {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos || close < 3) return false;
        const std::string_view inside = text.substr(1, close - 1);
        if (inside.find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos) {
            return false;
        }
        port = text.substr(close + 1);
    } else {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const std::string_view name = text.substr(0, colon);
        const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
            return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
        });
        if (name.empty() || !is_name) return false;
        port = text.substr(colon);
    }
    if (port.empty()) return true;
    if (port.front() != ':' || port.size() > 6) return false;
    const auto number = parse_decimal(port.substr(1));
    return number && *number <= 65535;
}

std::string percent_encode(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_unreserved =
            is_letter_or_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
        out += is_unreserved ? std::string(1, c)
                             : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

}  // namespace semel
