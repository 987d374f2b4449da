// guard_answers: makes the responses to a request whose content equals that of an earlier one under
// a content guard. Each has `Semel-Duplicate: true`, except problems. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/gateway_config.hpp"
#include "net/http.hpp"

namespace semel::gateway {

// Returns the stored answer with status 200. A JSON object begins with `duplicateOnly: true` and
// `duplicateMessage: message`, which replace members of these names; it is application/json and has
// no ETag. Another body keeps its bytes and headers. `headers` are the kept ones.
[[nodiscard]] net::Response duplicate(std::vector<net::Header> headers, std::string body,
                                      std::string_view message, std::string_view claim_id);

// Returns the answer while the equal request has no answer for this caller: 200 with a null
// message, or 409 `in_progress` if the rule says so.
[[nodiscard]] net::Response duplicate_in_flight(const GuardRule& rule, std::string claim_id);

}  // namespace semel::gateway
