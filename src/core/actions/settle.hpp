// Completes jobs, and answers a call that repeats the one which ended an attempt.
//
// A repeat with the same token, verb and content gets the first answer and changes nothing. A
// refusal is a Problem. Threads: one per workspace.
#pragma once

#include <optional>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Describes the job's current state.
[[nodiscard]] JobAnswer answer_for(const Job& job);

// Answers a call whose token is current although the job no longer runs:
//   - the first answer, if verb and content are those of the call that ended the attempt
//   - `conflict`, if only the content differs
//   - `wrong_state`, if the verb differs or no call ended the attempt
[[nodiscard]] Item<JobAnswer> answer_repeat(const Workspace& workspace, const Job& job,
                                            const JobCall& call);

// Completes a job with its output or its continuation. Returns nullopt on success. Returns a
// Problem if the continuation is refused. The caller must then roll back, because rows have
// changed.
[[nodiscard]] std::optional<Problem> complete(Workspace& workspace, const JobCall& call);

// Stores the accepted call in the job, so that a repeat gets the same answer.
void remember(Workspace& workspace, const JobCall& call);

}  // namespace semel
