// Decisions on what users' own transactions left behind.
#include <algorithm>

#include "base/mutation.hpp"
#include "core/decide.hpp"
#include "core/outbox.hpp"

namespace semel {
namespace {

std::optional<ClaimId> key_of(const OutboxCommand& command) {
    const auto* schedules = std::get_if<ScheduleActions>(&command);
    const auto* request =
        schedules != nullptr ? std::get_if<ActionRequest>(&schedules->items.front()) : nullptr;
    return request != nullptr && request->deduplication
               ? std::optional(request->deduplication->claim)
               : std::nullopt;
}

bool is_kept(const OutboxSkips& skipped, const std::optional<ClaimId>& key) {
    return key && !SEMEL_MUTATION(held_entry_overtaken) &&
           std::find(skipped.keys.begin(), skipped.keys.end(), *key) != skipped.keys.end();
}

void apply(Workspace& workspace, const OutboxEntry& entry, const ScheduleActions& command) {
    const auto reply = decide(command, workspace);
    workspace.record(OutboxResult{
        entry.subject, outbox_result_json(std::get<ScheduleActions::Outcome>(reply).front())});
}

// The ordinary call of the job's owner, whose token was checked in the user's transaction.
void apply(Workspace& workspace, const OutboxEntry& entry, const SettleJobs& command) {
    const Job* job = workspace.jobs.find(entry.subject);
    if (job == nullptr) {
        return;
    }
    workspace.edit_job(entry.subject).settling = false;  // here it is
    (void)decide(command, workspace);
}

// False: it met a row that somebody else holds, and nothing was changed.
bool drain_one(Workspace& workspace, const OutboxEntry& entry, const OutboxCommand& command) {
    workspace.savepoint();
    std::visit([&](const auto& known) { apply(workspace, entry, known); }, command);
    if (workspace.met_held()) {
        workspace.roll_back();
        return false;
    }
    if (!SEMEL_MUTATION(drained_entry_kept)) {
        workspace.drained(entry.id);
    }
    return true;
}

}  // namespace

void name_rows(const DrainOutbox& command, LoadSpec& spec) {
    spec.queries.emplace_back(
        OutboxQuery{command.limit, command.settings, command.skipped.entries});
    // One entry whose row is held must not stop the others: it is left for later instead.
    spec.wait = false;
}

Reply<DrainOutbox> decide(const DrainOutbox& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    DrainOutcome outcome;
    outcome.more = !found.outbox.empty();
    outcome.skipped = command.skipped;
    for (const OutboxEntry& entry : found.outbox) {
        const OutboxCommand entry_command = read_outbox_entry(entry, command.settings);
        const auto key = key_of(entry_command);
        if (!is_kept(outcome.skipped, key) && drain_one(workspace, entry, entry_command)) {
            ++outcome.count;
            continue;
        }
        outcome.skipped.entries.push_back(entry.id);
        if (key) {
            outcome.skipped.keys.push_back(*key);
        }
    }
    workspace.savepoint();  // what one of them met is no concern of the whole
    return outcome;
}

void name_rows(const PruneOutboxResults& command, LoadSpec& spec) {
    spec.queries.emplace_back(OldOutboxResultsQuery{command.retention, command.limit});
}

Reply<PruneOutboxResults> decide(const PruneOutboxResults& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome;
    outcome.more = found.outbox_results.size() >= static_cast<std::size_t>(command.limit);
    for (const Uuid& id : found.outbox_results) {
        workspace.forget_outbox_result(id);
        ++outcome.count;
    }
    return outcome;
}

}  // namespace semel
