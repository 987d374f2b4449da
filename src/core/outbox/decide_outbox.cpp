// Decisions about the entries that users' own transactions left in the outbox.
#include <algorithm>

#include "core/decide.hpp"
#include "core/fences/fence.hpp"
#include "core/outbox/outbox.hpp"

namespace semel {
namespace {

// Returns the keys that the command names. A chain and the chains that it starts have one each.
std::vector<ClaimId> keys_of(const OutboxCommand& command) {
    LoadSpec spec;
    std::visit([&](const auto& known) { name_rows(known, spec); }, command);
    return spec.claims;
}

bool is_kept(const OutboxSkips& skipped, const std::vector<ClaimId>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const ClaimId& key) {
        return std::find(skipped.keys.begin(), skipped.keys.end(), key) != skipped.keys.end();
    });
}

// Of an action or a chain.
template <typename Enqueued>
void apply(Workspace& workspace, const OutboxEntry& entry, const Enqueued& command) {
    const auto reply = decide(command, workspace);
    workspace.record(OutboxResult{
        entry.subject, outbox_result_json(std::get<typename Enqueued::Outcome>(reply).front())});
}

// Applies the usual call of the job's owner. The user's transaction has checked its token.
void apply(Workspace& workspace, const OutboxEntry& entry, const SettleJobs& command) {
    const Job* job = workspace.jobs.find(entry.subject);
    if (job == nullptr) {
        return;
    }
    workspace.edit_job(entry.subject).settling = false;  // here it is
    const auto reply = decide(command, workspace);
    const auto* problem = std::get_if<Problem>(&std::get<SettleJobs::Outcome>(reply).front());
    if (problem != nullptr && entry.verb == OutboxVerb::continue_with) {
        (void)decide(
            SettleJobs{.tenant = entry.tenant, .calls = {refuse_continuation(entry, *problem)}},
            workspace);
    }
}

// Applies the usual call of a fence's owner, in the same way.
void apply(Workspace& workspace, const OutboxEntry&, const CallFence& command) {
    const Claim* claim = workspace.claims.find(command.call.claim);
    if (claim == nullptr || !claim->effect) {
        return;
    }
    const auto source = source_of(*claim);
    Claim& edited = workspace.claims.edit(claim->id);
    edited.effect->settling = false;
    edited.expires_at.reset();  // however late the drain is, it was sealed in time
    if (source && workspace.sources.find(*source) != nullptr) {
        workspace.sources.edit(*source).settling = false;
    }
    (void)decide(command, workspace);
}

// Returns false if it met a row locked elsewhere. Nothing was changed then.
bool drain_one(Workspace& workspace, const OutboxEntry& entry, const OutboxCommand& command) {
    workspace.savepoint();
    std::visit([&](const auto& known) { apply(workspace, entry, known); }, command);
    if (workspace.met_locked()) {
        workspace.roll_back();
        return false;
    }
    workspace.drained(entry.id);
    return true;
}

}  // namespace

void name_rows(const DrainOutbox& command, LoadSpec& spec) {
    spec.queries.emplace_back(
        OutboxQuery{command.limit, command.settings, command.skipped.entries});
    // An entry whose row is locked elsewhere is skipped, so that it does not stop the others.
    spec.wait = false;
}

Reply<DrainOutbox> decide(const DrainOutbox& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    DrainOutcome outcome;
    outcome.more = !found.outbox.empty();
    outcome.skipped = command.skipped;
    for (const OutboxEntry& entry : found.outbox) {
        const OutboxCommand entry_command = read_outbox_entry(entry, command.settings);
        const auto keys = keys_of(entry_command);
        if (!is_kept(outcome.skipped, keys) && drain_one(workspace, entry, entry_command)) {
            ++outcome.count;
            continue;
        }
        outcome.skipped.entries.push_back(entry.id);
        outcome.skipped.keys.insert(outcome.skipped.keys.end(), keys.begin(), keys.end());
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
