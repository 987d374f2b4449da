// The outbox: turns an entry, which a user's own transaction committed, into a command. The command
// is the same that the HTTP API makes of the same request.
//
// Errors: none. An unreadable request becomes a command whose item is refused. An unreadable
// continuation becomes the failure of its job. Pure. Threads: any.
#pragma once

#include <string>
#include <variant>

#include "core/commands.hpp"
#include "core/settings.hpp"

namespace semel {

using OutboxCommand = std::variant<ScheduleActions, StartChains, SettleJobs, CallFence>;

// Returns the command of an entry.
[[nodiscard]] OutboxCommand read_outbox_entry(const OutboxEntry& entry, const Settings& settings);

// Names the rows that the command of an entry needs.
void name_rows(const OutboxEntry& entry, const Settings& settings, LoadSpec& spec);

// Returns the call that fails a job permanently because its continuation is refused. The job's work
// is committed in the user's transaction, so it must not run again.
[[nodiscard]] JobCall refuse_continuation(const OutboxEntry& entry, const Problem& problem);

// Return {decision, id, error}, as the SQL function semel.outbox_result shows it.
[[nodiscard]] std::string outbox_result_json(const Item<ScheduledAction>& answer);
[[nodiscard]] std::string outbox_result_json(const Item<StartedChain>& answer);

}  // namespace semel
