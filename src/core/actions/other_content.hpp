// other_content: refuses a repeated call whose content differs from the call that ended the
// attempt.
//
// A repeat with the same token and content gets the first answer (core/actions/settle.hpp). A
// repeat with other content gets this Problem. Changes nothing. Threads: one per workspace.
#pragma once

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Returns a Problem `conflict` with the job's id and state. For a `complete` it contains the JSON
// Patch from the accepted content to the repeated one.
// REQUIRES: the job was loaded with JobRef::outcome.
[[nodiscard]] Problem other_content(const Workspace& workspace, const Job& job,
                                    const JobCall& call);

}  // namespace semel
