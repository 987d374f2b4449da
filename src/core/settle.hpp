// How a job is completed, and how the repeat of a call that ended an attempt is answered.
#pragma once

#include <optional>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

[[nodiscard]] JobAnswer answer_for(const Job& job);

// The answer to a call whose token is current although the job no longer runs.
[[nodiscard]] Item<JobAnswer> answer_repeat(const Workspace& workspace, const Job& job,
                                            const JobCall& call);

// Completes a job, with its output or with what follows it. A Problem: it cannot be followed by
// that, and what was changed must be undone.
[[nodiscard]] std::optional<Problem> complete(Workspace& workspace, const JobCall& call);

// Keeps what the call said, so that its repeat gets the same answer.
void remember(Workspace& workspace, const JobCall& call);

}  // namespace semel
