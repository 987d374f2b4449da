// Cycles: refuses a change that would make chains wait for one another in a ring, without end.
//
// A new chain can close a ring only with chains of the same request, by an id or key that the
// caller chose. A continuation, or a job that an operator retries, can close a ring with any chain.
//
// For these two the store loads which chain waits for which (Loaded::waits), without locks. The
// commit also writes one claim per tenant, the graph claim. So two nodes cannot each add one half
// of a ring that the other node does not see. A refusal is a Problem. Threads: one per workspace.
#pragma once

#include <optional>
#include <string>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Both are for a continuation, and do nothing if none of its blockers can be an existing chain.
// `name_waits` names the graph claim and the chains whose waits are loaded. `hold_graph` writes the
// graph claim.
void name_waits(const StepRequest& step, const std::string& tenant, LoadSpec& spec);
void hold_graph(Workspace& workspace, const std::string& tenant, const StepRequest& step);

// Do the same for a job that an operator retries. The store finds its blockers (JobRef::blockers).
void name_graph(const std::string& tenant, LoadSpec& spec);
void hold_graph(Workspace& workspace, const std::string& tenant);

// Returns nullopt if the job closes no ring. Otherwise returns the Problem `cycle`, or `too_large`
// if more than kWaitsMax waits had to be searched. REQUIRES: the job's edges are in the workspace.
[[nodiscard]] std::optional<Problem> check_cycle(const Workspace& workspace, const Job& job);

}  // namespace semel
