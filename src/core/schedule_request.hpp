// Reads what a caller sends as a schedule, and checks it.
#pragma once

#include <variant>

#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/schedule.hpp"
#include "core/settings.hpp"

namespace semel {

[[nodiscard]] std::variant<ScheduleSpec, Problem> read_schedule_request(json::Value object,
                                                                        const Settings& settings);

}  // namespace semel
