// Decisions for upkeep: promote, rescue, prune.
#include <algorithm>

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/queue.hpp"
#include "core/chains/chain.hpp"
#include "core/chains/deletion.hpp"
#include "core/decide.hpp"
#include "core/limits.hpp"
#include "core/schedules/occurrence.hpp"

namespace semel {
namespace {

UpkeepOutcome outcome_of(const QueryResult& found, std::size_t size, int limit) {
    UpkeepOutcome outcome;
    outcome.more = size >= static_cast<std::size_t>(limit);
    outcome.next_at = found.next_at;
    return outcome;
}

void record_takeover(Workspace& workspace, const Job& job, AttemptEnd end) {
    DecisionEntry entry;
    entry.at = workspace.now();
    entry.tenant = job.tenant;
    entry.surface = surface_of(job);
    entry.type = job.type;
    entry.claim = job.claim;
    const Claim* claim = job.claim ? workspace.claims.find(*job.claim) : nullptr;
    entry.key = claim != nullptr ? claim->full_key : "";
    entry.decision = Decision::takeover;
    entry.rule = to_string(end);
    entry.effect_id = job.id;
    entry.token = job.token;
    workspace.record(std::move(entry));
}

// Takes a running job from its owner. The larger token rejects every later call of that owner.
void take_over(Workspace& workspace, const JobId& id, AttemptEnd end, const std::string& error) {
    end_attempt(workspace, id, end, error);
    Job& job = workspace.edit_job(id);
    job.token = next_token(job.token, workspace.now());
    job.settled.reset();
    record_takeover(workspace, job, end);
    workspace.set_result(
        id,
        JobResult{.output = {}, .error_message = error, .error_code = std::string(to_string(end))});
}

// A lost lease is a counted attempt. After the first in a row the job is due at once, because a
// crash does not show a fault of the job. From the second on it waits.
void rescue_lost(Workspace& workspace, const JobId& id) {
    take_over(workspace, id, AttemptEnd::lost, "the worker's lease ran out");
    Job& job = workspace.edit_job(id);
    ++job.lost_in_a_row;
    const bool exhausted = job.attempts >= job.max_retries || job.lost_in_a_row >= kLostInARowMax;
    if (exhausted && !job.successor) {
        finish(workspace, id, Status::failed);
        return;
    }
    const Millis wait =
        job.lost_in_a_row == 1 ? Millis(0) : job.backoff.wait(job.attempts, workspace.random());
    reopen(workspace, id, add_clamped(workspace.now(), wait));
}

void end_timed_out(Workspace& workspace, const JobId& id) {
    const Lease& lease = *workspace.jobs.find(id)->lease;
    const auto allowed = *lease.timeout_at - lease.started_at;
    take_over(workspace, id, AttemptEnd::timeout,
              fmt::format("timed out after {} ms", allowed.count()));
    Job& job = workspace.edit_job(id);
    job.lost_in_a_row = 0;
    const Millis wait = job.backoff.wait(job.attempts, workspace.random());
    fail_or_reopen(workspace, id, job.attempts >= job.max_retries, wait);
}

void become_due(Workspace& workspace, const Job& job) {
    if (!job.occurrence) {
        workspace.edit_job(job.id).place = Place::ready;
        return;
    }
    leave_queue(workspace, job.id);
    move_missed_slot(workspace, job.id);  // where it was missed, its time may be another now
    join_queue(workspace, job.id);
}

// Deletes the loaded jobs of a finished chain. The last job is deleted at the end: until then the
// next command finds the chain by it.
int prune(Workspace& workspace, const FinishedChain& chain) {
    const Job& last = *workspace.jobs.find(chain.last);
    if (const Job* first = first_of_chain(workspace, last)) {
        leave_key_behind(workspace, *first, last);
    }
    int count = 0;
    for (const JobId& id : chain.before) {
        if (workspace.jobs.find(id) != nullptr) {
            delete_job(workspace, id);
            ++count;
        }
    }
    if (chain.is_whole) {
        delete_job(workspace, chain.last);
        ++count;
    }
    return count;
}

}  // namespace

void name_rows(const PromoteDue& command, LoadSpec& spec) {
    spec.queries.emplace_back(DueQuery{command.limit});
}

Reply<PromoteDue> decide(const PromoteDue& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.jobs.size(), command.limit);
    for (const JobId& id : found.jobs) {
        const Job* job = workspace.jobs.find(id);
        if (job != nullptr && job->place == Place::later && job->scheduled_at <= workspace.now()) {
            become_due(workspace, *job);
            ++outcome.count;
        }
    }
    return outcome;
}

void name_rows(const RescueExpired& command, LoadSpec& spec) {
    spec.queries.emplace_back(ExpiredQuery{command.limit});
}

Reply<RescueExpired> decide(const RescueExpired& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.jobs.size(), command.limit);
    for (const JobId& id : found.jobs) {
        const Job* job = workspace.jobs.find(id);
        if (job == nullptr || !job->lease || job->settling) {
            continue;  // ended by an earlier command of this batch, or about to be
        }
        if (job->lease->timeout_at && workspace.now() >= *job->lease->timeout_at) {
            end_timed_out(workspace, id);
            ++outcome.count;
        } else if (workspace.now() >= job->lease->until) {
            rescue_lost(workspace, id);
            ++outcome.count;
        }
    }
    return outcome;
}

void name_rows(const PruneJobs& command, LoadSpec& spec) {
    spec.queries.emplace_back(FinishedQuery{command.retention, command.limit});
}

Reply<PruneJobs> decide(const PruneJobs& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.chains.size(), command.limit);
    outcome.more = outcome.more || outcome.next_at;
    for (const FinishedChain& chain : found.chains) {
        outcome.more = outcome.more || !chain.is_whole;
        const Job* last = workspace.jobs.find(chain.last);
        if (last == nullptr || last->place != Place::done ||
            workspace.now() < *last->completed_at + command.retention) {
            continue;
        }
        outcome.count += prune(workspace, chain);
    }
    return outcome;
}

void name_rows(const PruneBulkRuns& command, LoadSpec& spec) {
    spec.queries.emplace_back(FinishedBulkRunsQuery{command.retention, command.limit});
}

Reply<PruneBulkRuns> decide(const PruneBulkRuns& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.bulk_runs.size(), command.limit);
    for (const Uuid& id : found.bulk_runs) {
        workspace.bulk_runs.erase(id);
        ++outcome.count;
    }
    return outcome;
}

void name_rows(const PruneResponses& command, LoadSpec& spec) {
    spec.queries.emplace_back(ExpiredResponsesQuery{command.limit});
}

Reply<PruneResponses> decide(const PruneResponses& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.responses.size(), command.limit);
    for (const Uuid& id : found.responses) {
        workspace.record(ResponseChange{ResponseVerb::expire, id, workspace.now()});
        ++outcome.count;
    }
    return outcome;
}

void name_rows(const PruneDecisions& command, LoadSpec& spec) {
    spec.queries.emplace_back(OldDecisionsQuery{command.retention, command.limit});
}

Reply<PruneDecisions> decide(const PruneDecisions& command, Workspace& workspace) {
    QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome = outcome_of(found, found.decisions.size(), command.limit);
    for (DecisionRef& ref : found.decisions) {
        workspace.forget(std::move(ref));
        ++outcome.count;
    }
    return outcome;
}

void name_rows(const RecordDecisions&, LoadSpec&) {}

Reply<RecordDecisions> decide(const RecordDecisions& command, Workspace& workspace) {
    UpkeepOutcome outcome;
    for (const DecisionEntry& entry : command.entries) {
        workspace.record_sum(entry);
        ++outcome.count;
    }
    return outcome;
}

}  // namespace semel
