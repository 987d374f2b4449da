// JSON pointers, RFC 6901: "" is the whole document, "/a/0" the first element of member a.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"

namespace semel::json {

// A member name or index as it stands in a pointer: `~` and `/` escaped.
[[nodiscard]] std::string escape_token(std::string_view token);

// The tokens, unescaped; nothing if the text is no pointer.
[[nodiscard]] std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer);
[[nodiscard]] bool is_valid_pointer(std::string_view pointer);

// The value it points at; nothing if there is none, or if the text is no pointer.
[[nodiscard]] std::optional<Value> resolve(Value root, std::string_view pointer);

}  // namespace semel::json
