// Describes entries of the decision log for people: their keys, notes and rules. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/json/json.hpp"

namespace semel::cli {

// Returns a key for people. A key of one part becomes the text of that part. A key of several parts
// stays JSON, like ["ship","order-1"].
[[nodiscard]] std::string shown_key(const std::string& written);

// Returns an entry's note: an operator's reason, or the other keys of a near miss. It can be empty.
[[nodiscard]] std::string note_of(json::Value line);

// Returns the rule by which a key was won, with its meaning. An unknown rule is returned alone.
[[nodiscard]] std::string rule_with_words(const std::string& rule);

}  // namespace semel::cli
