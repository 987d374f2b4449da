// Actions as JSON, with the members that the contract names, in its order.
#pragma once

#include <optional>
#include <vector>

#include "api/waiting_for.hpp"
#include "core/commands.hpp"
#include "core/json_writer.hpp"
#include "store/store.hpp"

namespace semel {

// The object as a value: where a list or an answer holds it.
void write_action(JsonWriter& out, const ActionView& action);

// A step of a chain: the action, with the chains that it waits for, or waited.
void write_step(JsonWriter& out, const StepView& step);

// By id: with `history` and, while it is not running though it may, `waitingFor`.
[[nodiscard]] std::string action_details_json(const ActionDetails& details,
                                              const std::optional<WaitingFor>& waiting_for);

// Appends a time as a member.
void write_time(JsonWriter& out, std::string_view name, const std::optional<Time>& time);

}  // namespace semel
