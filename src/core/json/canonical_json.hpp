// RFC 8785 canonical JSON, and the content fingerprint that is made of it.
//
// Two values with the same content have one canonical form, whatever their spacing, order of
// members or spelling of numbers. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "core/json/json.hpp"

namespace semel {

// Returns the canonical form, or nullopt if a number does not survive it. A number survives if its
// double, printed shortest, denotes the same decimal as the text. 1.0, 1e2 and -0 survive,
// 9007199254740993 does not.
[[nodiscard]] std::optional<std::string> canonicalize(json::Value value);

// Does the same for one number. REQUIRES: `text` is an RFC 8259 number.
[[nodiscard]] std::optional<std::string> canonical_number(std::string_view text);

// Prints a double as ECMAScript does: 1e+21, 1e-7, 100, and 0 for both zeros.
// REQUIRES: the number is finite.
[[nodiscard]] std::string format_double(double number);

// Returns the content fingerprint: the hash of the canonical form if every number survives it,
// otherwise of the raw bytes. A field keeps the two kinds apart.
[[nodiscard]] Hash256 fingerprint(json::Value value);

// Returns true if both values have the same fingerprint.
[[nodiscard]] bool same_content(json::Value a, json::Value b);

}  // namespace semel
