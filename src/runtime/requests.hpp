// What callers of the library ask for, as the HTTP API would get it: both doors have the same
// rules.
#pragma once

#include <variant>

#include <semel/engine.hpp>

#include "core/commands.hpp"
#include "core/settings.hpp"

namespace semel {

[[nodiscard]] Item<ActionRequest> to_request(const ActionSpec& action, const Settings& settings);
[[nodiscard]] Item<ChainRequest> to_request(const ChainSpec& chain, const Settings& settings);
[[nodiscard]] Item<FenceRequest> to_request(const OnceSpec& once, const Settings& settings);
[[nodiscard]] std::variant<PutSchedule, Problem> to_command(const RecurringSpec& schedule,
                                                            const Settings& settings);

// What is wrong with a result's output, if anything.
[[nodiscard]] std::optional<Problem> check_output(const HandlerResult& result);

// What is wrong with them as names, if anything.
[[nodiscard]] std::optional<Problem> check_tenant(const std::string& tenant);
[[nodiscard]] std::optional<Problem> check_key(const ScheduleKey& key);

}  // namespace semel
