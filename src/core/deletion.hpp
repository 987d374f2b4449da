// What is left when the rows of a job go, by age or because somebody deletes them.
#pragma once

#include "core/workspace.hpp"

namespace semel {

// Keys outlive data: what is left of the newest owner moves to its key, which is remembered from
// the end of its last owner on. A chain ends with its last job, an action by itself.
// REQUIRES: that has ended.
void leave_key_behind(Workspace& workspace, const Job& holder, const Job& last);

// The chains that it waited for need not be kept for it any longer.
void delete_job(Workspace& workspace, const JobId& id);

}  // namespace semel
