// leave_key_behind and delete_job: delete the rows of a job, by age or for an operator.
//
// A key outlives the rows: the claim still shows its newest owner and how that owner ended, until
// the key's retention has passed. Errors: none. Changes only the workspace. Threads: one per
// workspace.
#pragma once

#include "core/batch/workspace.hpp"

namespace semel {

// Prepares the claim of `holder` for the deletion of its rows. `holder` is the action or the first
// job of the chain, `last` the last job of the chain. Without a claim nothing happens.
//
// The claim keeps the final status if `holder` is its newest owner. Otherwise it drops this owner.
// If no other owner is left, the claim expires `key_retention` after the end of its last owner.
// REQUIRES: the action or chain has ended.
void leave_key_behind(Workspace& workspace, const Job& holder, const Job& last);

// Deletes a job with its payload, result, history and edges. It no longer counts as a dependant of
// the chains that it waited for, so these can be pruned.
void delete_job(Workspace& workspace, const JobId& id);

}  // namespace semel
