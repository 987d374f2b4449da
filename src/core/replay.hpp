// Replays: requests that a sealed claim answers by itself, without a look at the store.
//
// A sealed receipt is the same bytes until it expires, and the key's own claim is judged before
// its source. So who knows the claim knows the answer, as long as nobody has deleted it.
#pragma once

#include <memory>
#include <string_view>

#include "core/commands.hpp"

namespace semel {

// The rule of such an answer, in one word.
inline constexpr std::string_view kReplayRule = "sealed";

// Whether both say what they are about, and it is not the same. Nothing is compared where one of
// them does not.
[[nodiscard]] bool has_other_content(const Claim& claim, const FenceRequest& request);

// Whether this request is a plain duplicate of a claim as it was seen last. Anything else, a
// conflict above all, is for a decision on the row itself.
[[nodiscard]] bool is_replay(const Claim& claim, const ClaimFence& command, Time now);

// What it is told.
[[nodiscard]] FenceAnswer replayed(std::shared_ptr<const Claim> claim);

}  // namespace semel
