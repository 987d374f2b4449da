// Replays: decides whether a sealed claim answers a request without a query to the store.
//
// A sealed receipt stays the same until it expires, and the claim of the key decides before the
// claim's source. So a node that knows the claim can serve the answer from memory. The caller must
// make sure that no operator has deleted the claim since it was read (ReceiptCache does).
//
// Pure. Threads: any.
#pragma once

#include <memory>
#include <string_view>

#include "core/commands.hpp"

namespace semel {

// The rule of a replay in the decision log.
inline constexpr std::string_view kReplayRule = "sealed";

// Returns true if claim and request both have a fingerprint and the fingerprints differ.
[[nodiscard]] bool has_other_content(const Claim& claim, const FenceRequest& request);

// Returns true if the request is a plain duplicate of this claim at `now`: same tenant and key,
// sealed, not expired, no other content. On false the row itself must decide, also about a
// conflict.
[[nodiscard]] bool is_replay(const Claim& claim, const ClaimFence& command, Time now);

// Returns the answer of a replay: `duplicate` with the claim.
[[nodiscard]] FenceAnswer replayed(std::shared_ptr<const Claim> claim);

}  // namespace semel
