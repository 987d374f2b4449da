// Chains: lines of jobs, of which an action is the shortest. The row of the first job stands for
// its chain: whoever ends a chain, continues it or waits for it holds that row.
#pragma once

#include <optional>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// The first job of a job's chain, and the last of the chain that a job begins. Null: somebody else
// holds it, or a damaged store has lost it.
[[nodiscard]] const Job* first_of_chain(const Workspace& workspace, const Job& job);
[[nodiscard]] const Job* last_of_chain(const Workspace& workspace, const Job& first);

// Null: this tenant has no chain with this id.
[[nodiscard]] const Job* find_chain(const Workspace& workspace, const std::string& tenant,
                                    const JobId& id);

// REQUIRES: its rows are loaded, with input and result.
[[nodiscard]] ChainView view_of_chain(const Workspace& workspace, const Job& first);

// A job has ended for good. Where it was its chain's last, those who wait for the chain move on.
void end_step(Workspace& workspace, const JobId& id);

// The options, and nothing else, of a step that follows `before`: what is not given is inherited.
[[nodiscard]] Job with_options(const Job& before, const StepRequest& step);

// Makes the next job of a chain, which then waits for whatever it shall wait for.
// REQUIRES: `id` is the chain's last job, and about to complete.
[[nodiscard]] std::optional<Problem> continue_chain(Workspace& workspace, const JobId& id,
                                                    const StepRequest& step);

// The rows that a request needs; `continues`: it goes on with a chain that others may wait for.
void name_step_rows(const StepRequest& step, const std::string& tenant, LoadSpec& spec);
void name_chain_rows(const ChainRequest& request, const std::string& tenant, LoadSpec& spec);
void name_continuation_rows(const Continuation& continuation, const std::string& tenant,
                            LoadSpec& spec);

// Starts a chain, or finds the one that has its key.
[[nodiscard]] Item<StartedChain> start_chain(Workspace& workspace, const std::string& tenant,
                                             const ChainRequest& request);

}  // namespace semel
