#include "core/json/json_pointer.hpp"

#include <charconv>

namespace semel::json {
namespace {

// Unescapes one token; nothing if a `~` is not followed by 0 or 1.
std::optional<std::string> unescape_token(std::string_view token) {
    std::string text;
    text.reserve(token.size());
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '~') {
            text += token[i];
            continue;
        }
        ++i;
        if (i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
        text += token[i] == '0' ? '~' : '/';
    }
    return text;
}

// RFC 6901 allows no sign and no leading zero, and `-` names an element that does not exist.
std::optional<Value> element_at(Value array, std::string_view token) {
    std::size_t index = 0;
    const auto [stop, failed] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool canonical = token == "0" || (!token.empty() && token[0] >= '1' && token[0] <= '9');
    if (!canonical || failed != std::errc{} || stop != token.data() + token.size() ||
        index >= array.size()) {
        return std::nullopt;
    }
    auto element = array.elements().begin();
    while (index-- > 0) ++element;
    return *element;
}

}  // namespace

std::string escape_token(std::string_view token) {
    std::string text;
    text.reserve(token.size());
    for (const char c : token) {
        if (c == '~') {
            text += "~0";
        } else if (c == '/') {
            text += "~1";
        } else {
            text += c;
        }
    }
    return text;
}

std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer) {
    std::vector<std::string> tokens;
    while (!pointer.empty()) {
        if (pointer.front() != '/') return std::nullopt;
        pointer.remove_prefix(1);
        const std::string_view token = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(token.size());
        std::optional<std::string> text = unescape_token(token);
        if (!text) return std::nullopt;
        tokens.push_back(*std::move(text));
    }
    return tokens;
}

bool is_valid_pointer(std::string_view pointer) {
    return parse_pointer(pointer).has_value();
}

std::optional<Value> resolve(Value root, std::string_view pointer) {
    const auto tokens = parse_pointer(pointer);
    if (!tokens) return std::nullopt;
    std::optional<Value> value = root;
    for (const std::string& token : *tokens) {
        value = value->is_array() ? element_at(*value, token) : value->find(token);
        if (!value) return std::nullopt;
    }
    return value;
}

}  // namespace semel::json
