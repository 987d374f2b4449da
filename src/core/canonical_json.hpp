// RFC 8785 canonical JSON, and what rests on it: when do two payloads say the same?
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "core/json.hpp"

namespace semel {

// The canonical form; nothing if a number does not survive it, that is, if its double, printed
// shortest, denotes another decimal than the text did (9007199254740993). 1.0, 1e2, -0 survive.
[[nodiscard]] std::optional<std::string> canonicalize(json::Value value);

// The same for one number. REQUIRES: an RFC 8259 number that fits a double.
[[nodiscard]] std::optional<std::string> canonical_number(std::string_view text);

// A finite double as ECMAScript prints it: 1e+21, 1e-7, 100, 0 for both zeros.
[[nodiscard]] std::string format_double(double number);

// Content fingerprint: over the canonical form where every number survives it, else over the raw
// bytes. The two can never meet.
[[nodiscard]] Hash256 fingerprint(json::Value value);

// Whether two values have the same fingerprint.
[[nodiscard]] bool same_content(json::Value a, json::Value b);

}  // namespace semel
