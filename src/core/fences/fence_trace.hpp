// trace and replay_entry: make the decision log's entries about fences and other claims.
//
// `trace` adds its entry to the workspace, so it is committed with the batch. An entry for a repeat
// is not committed but summed, and the sum is written within a second.
// Errors: none. Threads: one per workspace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Records one request to claim a fence. `met` is the claim as found (`as_of`), `answer` the
// decision or refusal, `rule` the rule that decided, in one word.
void trace(Workspace& workspace, const ClaimFence& command, const std::optional<Claim>& met,
           const Item<FenceAnswer>& answer, std::string_view rule);

// Returns the entry for a request that was served from memory. It equals the entry of `trace`.
[[nodiscard]] DecisionEntry replay_entry(const ClaimFence& command, const Claim& claim, Time now);

// Returns an entry about the present state of a claim. A claim of a pass is on the surface
// `gateway`.
[[nodiscard]] DecisionEntry entry_about(const Claim& claim, Decision decision,
                                        std::string_view rule, Time now);

// Records an event in the life of a claim: a takeover, an uncertain effect, or an operator's
// resolution.
void trace(Workspace& workspace, const Claim& claim, Decision decision, std::string_view rule,
           const std::string& reason = {});

}  // namespace semel
