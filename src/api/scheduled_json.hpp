// The answers to scheduling: one action, or one result of a batch.
#pragma once

#include <string>

#include "core/claim.hpp"
#include "core/commands.hpp"

namespace semel {

// 201 new, 200 duplicate, or the problem's status.
[[nodiscard]] Receipt schedule_receipt(const ScheduleActions::Outcome& items);

// 200 with a result per item.
[[nodiscard]] Receipt batch_receipt(const ScheduleActions::Outcome& items);

}  // namespace semel
