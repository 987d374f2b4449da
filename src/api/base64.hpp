// Base64, RFC 4648: the standard form for headers, the URL form for cursors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace semel {

[[nodiscard]] std::string base64(std::string_view bytes);     // padded
[[nodiscard]] std::string base64url(std::string_view bytes);  // not padded

// Exactly one text per value: no padding, no stray bits at the end.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace semel
