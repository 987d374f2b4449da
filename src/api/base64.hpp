// Base64 after RFC 4648: the standard alphabet with padding, and the URL alphabet without. Pure.
// Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace semel {

[[nodiscard]] std::string base64(std::string_view bytes);     // padded
[[nodiscard]] std::string base64url(std::string_view bytes);  // not padded

// Decodes the URL form. Each value has exactly one text: padding, a character outside the alphabet
// or set bits after the last byte give nullopt.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace semel
