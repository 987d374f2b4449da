// Ends attempts. Every end of an attempt takes two steps:
//   1. `end_attempt` writes the history entry and releases the lease.
//   2. `finish`, `reopen` or `fail_or_reopen` gives the job its next state.
//
// Step 2 also moves the jobs that waited for this one. These are its successor, the next member of
// its lock group and the dependants of its chain. A schedule gets its next occurrence.
//
// Errors: none. Changes only the workspace. Threads: one per workspace.
#pragma once

#include <optional>
#include <string>

#include "core/batch/workspace.hpp"

namespace semel {

// Writes the history entry and releases the lease.
// REQUIRES: the job is running. The caller then calls one of the functions below.
void end_attempt(Workspace& workspace, const JobId& id, AttemptEnd end, const std::string& error);

// Ends the job in a final status. The dependants of a chain that fails or is cancelled are failed
// later, by FailDependants. REQUIRES: is_final(status).
void finish(Workspace& workspace, const JobId& id, Status status);

// Makes the job pending again, due at `scheduled_at`. A job with a successor does not run again: it
// becomes `superseded`.
void reopen(Workspace& workspace, const JobId& id, Time scheduled_at);

// Decides the next state after an attempt that did not complete: `failed` if `was_last`, otherwise
// pending again after `wait`. A job with a successor becomes `superseded` in both cases.
void fail_or_reopen(Workspace& workspace, const JobId& id, bool was_last, Millis wait);

}  // namespace semel
