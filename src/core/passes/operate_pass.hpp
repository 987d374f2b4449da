// resolve_pass, delete_pass and prune_pass: apply an operator's command, or upkeep, to claims of
// passes.
//
// decide(ResolveClaim), decide(DeleteClaim) and decide(PruneClaims) call them for claims that have
// a pass. A refusal is a Problem. Threads: one per workspace.
#pragma once

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Ends an uncertain claim and its twin, if that is still uncertain with it, and raises their
// tokens. `claim` is the row at the workspace's time. `content` tells a repeat from another call.
// Returns `conflict` if the command does not name the twin that the claim has.
// REQUIRES: the claim is uncertain.
[[nodiscard]] Reply<ResolveClaim> resolve_pass(const ResolveClaim& command, Workspace& workspace,
                                               Claim claim, const Hash256& content);

// Frees one claim with a larger token. Deletes the body of its answer, unless another claim has it.
[[nodiscard]] Claim delete_pass(const DeleteClaim& command, Workspace& workspace, Claim claim);

// Applies the end of a lease or of the retention to a stored row. A sent pass becomes uncertain,
// everything else is deleted. Returns false if neither has ended.
bool prune_pass(Workspace& workspace, const Claim& claim);

}  // namespace semel
