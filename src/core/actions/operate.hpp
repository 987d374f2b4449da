// operate: runs, retries or cancels one action for an operator.
//
// OperateAction calls it for one action, StepBulk for each action of a bulk run. A refusal is a
// Problem. Threads: one per workspace.
#pragma once

#include <optional>
#include <string_view>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// The reason for skipping an action that matched when the bulk run began.
inline constexpr std::string_view kNoLongerMatching = "no_longer_matching";

// Returns nullopt on success. Otherwise returns the Problem that explains the refusal, and has
// changed nothing: `wrong_state`, or for a retry also `superseded`, `cycle` or `too_large`.
//
// `force` retries a job although its key has a newer owner. If the job's result is committed but
// not yet applied (`settling`), the whole command is postponed (Workspace::postpone).
[[nodiscard]] std::optional<Problem> operate(Workspace& workspace, const Job& job,
                                             Operation operation, bool force);

}  // namespace semel
