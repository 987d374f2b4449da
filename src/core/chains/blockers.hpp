// Blockers: makes a job wait for chains, and ends each wait exactly once.
//
// A waiting job counts its open blockers (`blockers_left`). The commit that completes a chain
// counts down. The first job of a chain counts its dependants (`blocks`). So the commit that adds a
// dependant and the commit that ends the chain write the same row, and no dependant is missed.
//
// A refusal is a Problem. Changes only the workspace. Threads: one per workspace.
#pragma once

#include <optional>
#include <string>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Starts the blockers that do not exist and gives a new job its state: `blocked`, or a place in a
// queue if no blocker is open. If a blocker has failed already and `onBlockerFailed` is `fail`, the
// job fails at once.
//
// Returns nullopt on success. On a Problem (`not_found`, `cycle`, `too_large` or a blocker's own)
// the caller must roll back.
[[nodiscard]] std::optional<Problem> block_or_join(Workspace& workspace, const JobId& id,
                                                   const StepRequest& step);

// Does the same for a job that an operator retries, by the present state of its blockers.
void reopen_by_blockers(Workspace& workspace, const JobId& id);

// Counts down for every job that waits for `chain`, which has completed. A job without open
// blockers becomes pending.
void release_dependants(Workspace& workspace, const JobId& chain);

// Fails the jobs that wait for a failed or cancelled chain, except jobs whose `onBlockerFailed` is
// `wait`. `last` is the chain's last job.
void fail_dependants(Workspace& workspace, const Job& last);

// Removes a job that is being deleted from the counts of its blockers. A chain without another
// dependant is then no longer retained.
void forget_blockers(Workspace& workspace, const JobId& id);

}  // namespace semel
