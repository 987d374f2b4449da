// Renders the answers to a schedule request: one action, or the results of a batch. Pure. Threads:
// any.
#pragma once

#include <string>

#include "core/commands.hpp"
#include "core/keys/claim.hpp"

namespace semel {

// Returns 201 for `new`, 200 for `duplicate`, or the problem. REQUIRES: `items` has one item.
[[nodiscard]] Receipt schedule_receipt(const ScheduleActions::Outcome& items);

// Returns 200 with one result per item, in order. A result does not show the action.
[[nodiscard]] Receipt batch_receipt(const ScheduleActions::Outcome& items);

}  // namespace semel
