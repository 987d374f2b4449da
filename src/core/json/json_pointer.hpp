// JSON pointers, RFC 6901: "" is the whole document, "/a/0" the first element of member a.
//
// Pure. Threads: any. A resolved Value lives as long as its Document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"

namespace semel::json {

// Escapes a member name for a pointer: `~` becomes `~0`, `/` becomes `~1`.
[[nodiscard]] std::string escape_token(std::string_view token);

// Returns the unescaped tokens, or nullopt if the text is not a pointer.
[[nodiscard]] std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer);
[[nodiscard]] bool is_valid_pointer(std::string_view pointer);

// Returns the value at the pointer, or nullopt if it does not exist or the text is not a pointer.
[[nodiscard]] std::optional<Value> resolve(Value root, std::string_view pointer);

}  // namespace semel::json
