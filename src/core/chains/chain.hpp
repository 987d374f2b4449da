// Chains: sequences of jobs. An action is a chain of one job.
//
// The row of the first job represents its chain. A transaction that ends a chain, continues it or
// adds a dependant locks that row.
//
// A refusal is a Problem. Changes only the workspace. Threads: one per workspace.
#pragma once

#include <optional>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Return the first job of a job's chain, and the last job of the chain that a job begins. Null
// means that the row is locked elsewhere, or that a damaged store has lost it.
[[nodiscard]] const Job* first_of_chain(const Workspace& workspace, const Job& job);
[[nodiscard]] const Job* last_of_chain(const Workspace& workspace, const Job& first);

// Returns the first job of the tenant's chain, or null if the tenant has no chain with this id.
[[nodiscard]] const Job* find_chain(const Workspace& workspace, const std::string& tenant,
                                    const JobId& id);

// Returns the chain with everything that users see of it.
// REQUIRES: its first and last job are loaded, with input and result.
[[nodiscard]] ChainView view_of_chain(const Workspace& workspace, const Job& first);

// Updates the chain of a job that has reached a final status. If the job was the last of a
// completed chain, the dependants are released. If the chain did not complete, they are failed
// later, by FailDependants.
void end_step(Workspace& workspace, const JobId& id);

// Returns a Job that has the options of a step after `before`, and nothing else. An option that the
// request omits is inherited from `before`.
[[nodiscard]] Job with_options(const Job& before, const StepRequest& step);

// Adds the next job of a chain, with its blockers. Returns nullopt on success. On a Problem the
// caller must roll back. REQUIRES: `id` is the chain's last job, and the caller completes it.
[[nodiscard]] std::optional<Problem> continue_chain(Workspace& workspace, const JobId& id,
                                                    const StepRequest& step);

// Name the rows that a request needs. A continuation also names the rows that the search for cycles
// needs, because other chains may wait for its chain.
void name_step_rows(const StepRequest& step, const std::string& tenant, LoadSpec& spec);
void name_chain_rows(const ChainRequest& request, const std::string& tenant, LoadSpec& spec);
void name_continuation_rows(const Continuation& continuation, const std::string& tenant,
                            LoadSpec& spec);

// Starts a chain, or returns the chain that has the request's id or key. Records the decision. On a
// Problem the caller must roll back the item.
[[nodiscard]] Item<StartedChain> start_chain(Workspace& workspace, const std::string& tenant,
                                             const ChainRequest& request);

}  // namespace semel
