// What a caller is told who repeats a call that ended an attempt, with other content.
#pragma once

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// With the difference, where the call was to complete the job.
// REQUIRES: the job's outcome is loaded.
[[nodiscard]] Problem other_content(const Workspace& workspace, const Job& job,
                                    const JobCall& call);

}  // namespace semel
