// read_schedule_request: reads and checks the JSON body of a request for a schedule. A refusal is a
// Problem.
#pragma once

#include <variant>

#include "core/json/json.hpp"
#include "core/problem.hpp"
#include "core/schedules/schedule.hpp"
#include "core/settings.hpp"

namespace semel {

// Returns the ScheduleSpec with all defaults, or the Problem that names the first wrong member.
// Looks up the time zone in `settings.zones`. Threads: any. The result owns its text.
[[nodiscard]] std::variant<ScheduleSpec, Problem> read_schedule_request(json::Value object,
                                                                        const Settings& settings);

}  // namespace semel
