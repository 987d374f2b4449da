#include "api/base64.hpp"

namespace semel {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view alphabet) {
    std::string out;
    out.reserve((bytes.size() * 4 + 2) / 3);
    unsigned buffer = 0;
    unsigned bits = 0;
    for (const char c : bytes) {
        buffer = (buffer << 8U) | static_cast<unsigned char>(c);
        bits += 8;
        while (bits >= 6) {
            bits -= 6;
            out.push_back(alphabet[(buffer >> bits) & 63U]);
        }
        buffer &= (1U << bits) - 1;
    }
    if (bits > 0) {
        out.push_back(alphabet[(buffer << (6 - bits)) & 63U]);
    }
    return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
    std::string out = encode(bytes, kStandard);
    out.append((4 - out.size() % 4) % 4, '=');
    return out;
}

std::string base64url(std::string_view bytes) {
    return encode(bytes, kUrl);
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string out;
    unsigned buffer = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const std::size_t digit = kUrl.find(c);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        buffer = (buffer << 6U) | static_cast<unsigned>(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out.push_back(static_cast<char>((buffer >> bits) & 0xFFU));
        }
        buffer &= (1U << bits) - 1;
    }
    if (bits >= 6 || buffer != 0) {
        return std::nullopt;
    }
    return out;
}

}  // namespace semel
