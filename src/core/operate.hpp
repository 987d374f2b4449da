// What an operator does to one action; alone (OperateAction) or to many (StepBulk).
#pragma once

#include <optional>
#include <string_view>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// Why a bulk run skips an action that matched when the run began.
inline constexpr std::string_view kNoLongerMatching = "no_longer_matching";

// Absent: done. Otherwise what stands against it, and nothing was changed.
[[nodiscard]] std::optional<Problem> operate(Workspace& workspace, const Job& job,
                                             Operation operation, bool force);

}  // namespace semel
