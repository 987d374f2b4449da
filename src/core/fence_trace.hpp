// What the decision log says of claims that are held for an effect.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// A request, what it met, and what it was told.
void trace(Workspace& workspace, const ClaimFence& command, const std::optional<Claim>& met,
           const Item<FenceAnswer>& answer, std::string_view rule);

// The line about a request that was told what a sealed claim says, as `trace` makes it.
[[nodiscard]] DecisionEntry replay_line(const ClaimFence& command, const Claim& claim, Time now);

// What became of a claim without a request.
void trace(Workspace& workspace, const Claim& claim, Decision decision, std::string_view rule,
           const std::string& reason = {});

}  // namespace semel
