// Blockers: how a job comes to wait for chains, and how it stops waiting, exactly once.
//
// The number of chains that a job still waits for is kept on the job, and counted down by the
// commit that completes one of them. That a chain has dependants is kept on its first job. So who
// adds a dependant and who ends the chain write the same row, and no dependant is missed.
#pragma once

#include <optional>
#include <string>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// Starts the blockers that do not exist, and gives a new job its place: blocked, failed where one
// of them has failed already, or in its line.
[[nodiscard]] std::optional<Problem> block_or_join(Workspace& workspace, const JobId& id,
                                                   const StepRequest& step);

// The same for a job that is opened again: by what its blockers are now.
void reopen_by_blockers(Workspace& workspace, const JobId& id);

// A chain has completed: counts down for everyone who waits for it.
void release_dependants(Workspace& workspace, const JobId& chain);

// A chain has failed or was cancelled: fails those who wait for it and do not wait on.
void fail_dependants(Workspace& workspace, const Job& last);

// A job is deleted: the chains that it waited for need not be kept for it.
void forget_blockers(Workspace& workspace, const JobId& id);

}  // namespace semel
