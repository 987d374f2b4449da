// outcome: decides by the status of an upstream's answer how the claims of its request end. Pure.
// Threads: any.
#pragma once

#include <string_view>

#include "config/gateway_config.hpp"
#include "core/passes/pass_commands.hpp"

namespace semel::gateway {

// Returns how the key ends with this status:
//   seal     the request was executed, or refused for good: 2xx, 3xx, most of 4xx, 5xx by the rule
//   release  nothing was executed, so the sender can correct the request and use its key again
//   doubt    502 and 504: most come from a proxy that has lost the next hop
[[nodiscard]] PassEnd key_end(int status, const KeyRule& rule);

// Returns how the guard ends with this answer:
//   seal     2xx, unless the body says that it failed: `failed_when` of the rule
//   release  every other answer: the next request with the content is sent
//   doubt    502 and 504, as for a key
// `body` is empty if it is too large to keep; the answer then counts as done.
[[nodiscard]] PassEnd guard_end(int status, std::string_view body, const GuardRule& rule);

}  // namespace semel::gateway
