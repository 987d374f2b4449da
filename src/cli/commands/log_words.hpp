// Lines of the decision log, and the rules in them, as people read them.
#pragma once

#include <string>
#include <string_view>

#include "core/json.hpp"

namespace semel::cli {

// A key of one part is that part, as its caller wrote it; others stay JSON: ["ship","order-1"].
[[nodiscard]] std::string shown_key(const std::string& written);

// What a line says beside its columns: why somebody did it, or the other key of a near miss. Empty:
// nothing.
[[nodiscard]] std::string note_of(json::Value line);

// The rule by which a key was won, with what it means: "lease_over: its owner's lease had ended".
[[nodiscard]] std::string rule_with_words(const std::string& rule);

}  // namespace semel::cli
