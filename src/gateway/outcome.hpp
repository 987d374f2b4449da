// outcome: decides by the status of an upstream's answer how the key of its request ends. Pure.
// Threads: any.
#pragma once

#include "config/gateway_config.hpp"
#include "core/passes/pass_commands.hpp"

namespace semel::gateway {

// Returns how the key ends with this status:
//   seal     the request was executed, or refused for good: 2xx, 3xx, most of 4xx, 5xx by the rule
//   release  nothing was executed, so the sender can correct the request and use its key again
//   doubt    502 and 504: most come from a proxy that has lost the next hop
[[nodiscard]] PassEnd key_end(int status, const KeyRule& rule);

}  // namespace semel::gateway
