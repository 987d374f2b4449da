// Turns the library's specs into requests and commands of the engine. The specs pass through the
// JSON readers of the HTTP API, so that both have the same rules and defaults.
//
// Each function returns the Problem that the HTTP API would answer, or the request. Pure. Threads:
// any.
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

// Returns a Problem if the output is not JSON or is larger than 1 MiB.
[[nodiscard]] std::optional<Problem> check_output(const HandlerResult& result);

// Return a Problem unless each name has 1 to 255 bytes of UTF-8 without control characters.
[[nodiscard]] std::optional<Problem> check_tenant(const std::string& tenant);
[[nodiscard]] std::optional<Problem> check_key(const ScheduleKey& key);

}  // namespace semel
