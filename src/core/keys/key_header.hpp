// key_header: reads and writes the value of an `Idempotency-Key` header. The API and the gateway
// use the same grammar. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/problem.hpp"

namespace semel {

inline constexpr std::size_t kKeyHeaderBytesMax = 255;

// Returns the key: 1 to 255 bytes. A quoted string (RFC 8941) and its bare form are the same key.
// A bare key has visible ASCII except `,`, `;` and `"`. So two headers that a proxy has joined are
// not one key. `name` is that of the header, for the Problem. Returns `key_invalid` for another
// form, and for parameters behind the key.
[[nodiscard]] std::variant<std::string, Problem> parse_key_header(std::string_view name,
                                                                  std::string_view value);

// Returns a header value that parse_key_header() reads as `key`: bare if possible, otherwise
// quoted. Returns nullopt if the key has a byte that no header value has.
[[nodiscard]] std::optional<std::string> key_header_value(std::string_view key);

}  // namespace semel
