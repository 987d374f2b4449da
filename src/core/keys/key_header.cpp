#include "core/keys/key_header.hpp"

#include <algorithm>

namespace semel {
namespace {

Problem key_invalid(std::string_view name, std::string_view why) {
    return {.code = ProblemCode::key_invalid,
            .detail = "`" + std::string(name) + "` " + std::string(why)};
}

bool is_printable(char c) {
    return c >= ' ' && c < 0x7F;
}

bool is_bare(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return is_printable(c) && c != ' ' && c != ',' && c != ';' && c != '"';
    });
}

// Moves the content of an RFC 8941 string to `out` and returns the text behind it. Returns nullopt
// if the string is malformed. REQUIRES: `text` begins with a quote.
std::optional<std::string_view> unquote(std::string_view text, std::string& out) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            return text.substr(i + 1);
        }
        if (text[i] == '\\') {
            ++i;
            if (i == text.size() || (text[i] != '"' && text[i] != '\\')) {
                return std::nullopt;
            }
        } else if (!is_printable(text[i])) {
            return std::nullopt;
        }
        out.push_back(text[i]);
    }
    return std::nullopt;
}

}  // namespace

std::variant<std::string, Problem> parse_key_header(std::string_view name, std::string_view value) {
    std::string key;
    if (value.starts_with('"')) {
        const auto rest = unquote(value, key);
        if (!rest) {
            return key_invalid(name, "begins like a quoted string and is none");
        }
        if (!rest->empty()) {
            return key_invalid(name,
                               "has text behind the quoted key; parameters and a second key are "
                               "not accepted");
        }
    } else if (is_bare(value)) {
        key = value;
    } else {
        return key_invalid(name,
                           "must be quoted, like \"a b\", if it has another character than visible "
                           "ASCII without `,`, `;` and `\"`");
    }
    if (key.empty() || key.size() > kKeyHeaderBytesMax) {
        return key_invalid(name, "must have 1 to 255 characters");
    }
    return key;
}

std::optional<std::string> key_header_value(std::string_view key) {
    if (key.empty() || !std::ranges::all_of(key, is_printable)) {
        return std::nullopt;
    }
    if (is_bare(key)) {
        return std::string(key);
    }
    std::string quoted = "\"";
    for (const char c : key) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace semel
