// Writes actions as JSON. docs/reference/http_api.md names the members and their order.
//
// The functions are pure and keep no reference to their arguments. Any thread may call them.
#pragma once

#include <optional>
#include <vector>

#include "api/waiting_for.hpp"
#include "core/commands.hpp"
#include "core/json/json_writer.hpp"
#include "store/store.hpp"

namespace semel {

// Appends the action as one object.
void write_action(JsonWriter& out, const ActionView& action);

// Appends a step of a chain: the action with `blockers`, which are the chains that it waits for or
// waited for, without their outputs.
void write_step(JsonWriter& out, const StepView& step);

// Returns the answer to GET /v1/actions/{id}: the action with `history`, `blockers` and
// `waitingFor`. A running attempt is the last entry of `history`. Without `waiting_for` the member
// is null: the action runs or has ended.
[[nodiscard]] std::string action_details_json(const ActionDetails& details,
                                              const std::optional<WaitingFor>& waiting_for);

// Appends `time` in RFC 3339 form as the member `name`, or null if it is absent.
void write_time(JsonWriter& out, std::string_view name, const std::optional<Time>& time);

}  // namespace semel
