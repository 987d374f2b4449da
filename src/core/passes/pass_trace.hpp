// trace: makes the decision log's entries about admissions of passes (requests of the gateway).
//
// The entries about later events of a pass are those of all claims (core/fences/fence_trace.hpp).
//
// Errors: none. Threads: one per workspace.
#pragma once

#include <optional>
#include <string_view>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Returns the entry about one admission. `decider` is the claim that decided, as the decision
// leaves it, `answer` the decision or refusal, `rule` the rule that decided, in one word.
[[nodiscard]] DecisionEntry admission_entry(const AdmitPass& command, const Claim& decider,
                                            const Item<PassAnswer>& answer, std::string_view rule,
                                            Time now);

// Records it.
void trace(Workspace& workspace, const AdmitPass& command, const Claim& decider,
           const Item<PassAnswer>& answer, std::string_view rule);

}  // namespace semel
