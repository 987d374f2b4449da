// Chains that wait for one another in a ring would never go on: whoever would close one is refused.
//
// A new chain can close one only with those that are started with it, by an id or a key that the
// caller chose. A continuation can with any chain, and so can a job that is opened again: who waits
// for whom is read for them, without locks, and one row for each tenant is held, so that two nodes
// cannot close a ring together, each adding one half that the other does not see.
#pragma once

#include <optional>
#include <string>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// For a continuation.
void name_waits(const StepRequest& step, const std::string& tenant, LoadSpec& spec);
void hold_graph(Workspace& workspace, const std::string& tenant, const StepRequest& step);

// For a job that is opened again. The store knows for whom it waits.
void name_graph(const std::string& tenant, LoadSpec& spec);
void hold_graph(Workspace& workspace, const std::string& tenant);

// REQUIRES: the job has its blockers.
[[nodiscard]] std::optional<Problem> check_cycle(const Workspace& workspace, const Job& job);

}  // namespace semel
