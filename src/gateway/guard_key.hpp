// guard_key: hashes the parts of a request that a content guard compares. The key has no texts of
// the request, because keys are in logs and in the decision log. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/gateway_config.hpp"
#include "gateway/request_content.hpp"

namespace semel::gateway {

// Returns the parts of the guard's key: a SHA-256 for each field of the rule, or one for the whole
// request if the rule has no fields. Returns nullopt if the rule has fields and the body is not a
// JSON object.
//
// Fields are compared by kind and content: absent, null, "" and the string "1" and the number 1 are
// five values. Numbers are equal if they are the same decimal: 5 and 5.0 are, and two that only a
// double cannot tell apart are not. Objects and arrays have their RFC 8785 form.
// REQUIRES: `content.body` parsed any type if the rule has fields.
[[nodiscard]] std::optional<std::vector<std::string>> guard_key(const RequestContent& content,
                                                                const GuardRule& rule);

}  // namespace semel::gateway
