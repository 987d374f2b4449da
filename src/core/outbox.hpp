// The outbox: what users' own transactions left to be decided after their commit. An entry is the
// same command that HTTP would have made of it.
#pragma once

#include <string>
#include <variant>

#include "core/commands.hpp"
#include "core/settings.hpp"

namespace semel {

using OutboxCommand = std::variant<ScheduleActions, StartChains, SettleJobs, CallFence>;

// A request that cannot be read becomes a command whose item is refused; a continuation that cannot
// be read, a failure.
[[nodiscard]] OutboxCommand read_outbox_entry(const OutboxEntry& entry, const Settings& settings);

// The rows that an entry needs.
void name_rows(const OutboxEntry& entry, const Settings& settings, LoadSpec& spec);

// Its owner has gone and what it did is committed: a job that cannot be continued as it said must
// not be done again. It fails for good.
[[nodiscard]] JobCall refuse_continuation(const OutboxEntry& entry, const Problem& problem);

// {decision, id, error}, as semel.outbox_result tells it.
[[nodiscard]] std::string outbox_result_json(const Item<ScheduledAction>& answer);
[[nodiscard]] std::string outbox_result_json(const Item<StartedChain>& answer);

}  // namespace semel
