// What a bulk run may do, and what it must count. Its steps are seen by the rows alone.
#include <algorithm>
#include <numeric>

#include "sim/checker.hpp"

namespace semel::sim {
namespace {

bool is_meant(const ActionFilter& filter, const Job& job) {
    return (!filter.type || *filter.type == job.type) &&
           (!filter.lock_group || *filter.lock_group == job.lock_group) &&
           (!filter.schedule_name ||
            (job.occurrence && job.occurrence->name == *filter.schedule_name));
}

bool has_status(const ActionFilter& filter, const Job& job) {
    return !filter.status || *filter.status == job.status;
}

std::int64_t looked_at(const BulkRun& run) {
    return std::accumulate(run.skipped.begin(), run.skipped.end(), run.done,
                           [](std::int64_t sum, const auto& one) { return sum + one.second; });
}

// What a run was asked to do stays; what it did only grows.
bool goes_on(const BulkRun& before, const BulkRun& after) {
    return before.tenant == after.tenant && before.operation == after.operation &&
           before.filter == after.filter && before.dry_run == after.dry_run &&
           before.matched == after.matched && before.created_at == after.created_at &&
           !before.finished_at && before.done <= after.done &&
           (!before.cursor || (after.cursor && *before.cursor <= *after.cursor));
}

}  // namespace

void Checker::counted(const StartBulk& command) {
    const auto matched = std::count_if(jobs_.begin(), jobs_.end(), [&](const auto& entry) {
        const Tracked& job = entry.second;
        return !job.deleted && job.row.tenant == command.tenant &&
               is_meant(command.filter, job.row) && has_status(command.filter, job.row);
    });
    if (matched != command.matched.count) {
        fail(Invariant::bulk_runs,
             fmt::format("{} actions match, {} were counted", matched, command.matched.count));
    }
}

void Checker::check_bulk(const DecidedBulk& bulk) {
    const auto* run = std::get_if<BulkRun>(&bulk.reply);
    if (run == nullptr || run->matched != bulk.command.matched.count || looked_at(*run) != 0) {
        fail(Invariant::bulk_runs, "a bulk run was refused, or begins with something done");
        return;
    }
    context_.trace.line("decided bulk {}{}: {} match", run->dry_run ? "would " : "",
                        to_string(run->operation), run->matched);
    bulk_asked_.emplace(run->id, bulk.command);
}

// ---- a step -------------------------------------------------------------------------------------

void Checker::begin_bulk() {
    if (!batch_->changes) {
        return;
    }
    for (const auto& change : batch_->changes->bulk_runs) {
        if (change.before && change.after && !violation_) check_step(*change.before, *change.after);
    }
}

void Checker::check_step(const BulkRun& before, const BulkRun& after) {
    context_.trace.line("bulk {} step: {} done, {} looked at{}", to_string(after.operation),
                        after.done, looked_at(after), after.finished_at ? ", finished" : "");
    if (!goes_on(before, after) || bulk_runs_[before.id] != before) {
        fail(Invariant::bulk_runs, "a bulk run went back, or changed what it was asked");
        return;
    }
    std::vector<JobId> meant = meant_by(before, after);
    check_counts(before, after, meant);
    if (before.cursor) {
        context_.sometimes.hit(Sometimes::bulk_run_in_several_steps);
        if (bulk_process_[after.id] != processes_) {
            context_.sometimes.hit(Sometimes::bulk_run_resumed_after_a_crash);
        }
    }
    bulk_process_[after.id] = processes_;
    if (after.dry_run) {
        if (after.finished_at) context_.sometimes.hit(Sometimes::bulk_dry_run_ended);
        return;
    }
    std::int64_t shown = 0;
    std::int64_t most = 0;
    for (const JobId& id : meant) {
        const BulkTrace trace = learn_bulk(after, jobs_.at(id));
        shown += trace == BulkTrace::shown ? 1 : 0;
        most += trace != BulkTrace::none ? 1 : 0;
    }
    // Where no operator's hand was in it, what was done can be seen.
    const bool is_alone =
        std::none_of(batch_->decided.begin(), batch_->decided.end(), [](const Decided& decided) {
            return std::holds_alternative<DecidedOperation>(decided.what) ||
                   std::holds_alternative<DecidedOrder>(decided.what) ||
                   std::holds_alternative<DecidedCompletion>(decided.what) ||
                   std::holds_alternative<DecidedCancel>(decided.what) ||
                   std::holds_alternative<DecidedRemoval>(decided.what);
        });
    const std::int64_t done = after.done - before.done;
    if (after.operation != Operation::run_now && is_alone && (done < shown || done > most)) {
        fail(Invariant::bulk_runs,
             fmt::format("a bulk run changed {} to {} actions, and counted {}", shown, most, done));
    }
}

void Checker::check_counts(const BulkRun& before, const BulkRun& after,
                           const std::vector<JobId>& meant) {
    const auto in_reach = std::count_if(jobs_.begin(), jobs_.end(), [&](const auto& entry) {
        return entry.second.row.tenant == after.tenant && after.cursor &&
               entry.first <= *after.cursor && (!before.cursor || entry.first > *before.cursor);
    });
    std::int64_t most = looked_at(before) + in_reach;
    if (after.finished_at) most = std::max(most, after.matched);
    const bool is_complete = !after.finished_at || looked_at(after) >= after.matched;
    const auto done = after.done - before.done;
    if (looked_at(after) > most || !is_complete || done > static_cast<std::int64_t>(meant.size())) {
        fail(Invariant::bulk_runs,
             fmt::format("a bulk run over {} actions counts {} after {}; {} are in reach, {} meant",
                         after.matched, looked_at(after), looked_at(before), in_reach,
                         meant.size()));
    }
    for (const auto& [reason, count] : after.skipped) {
        context_.sometimes.hit(reason == "no_longer_matching"
                                   ? Sometimes::bulk_run_met_no_longer_matching
                                   : Sometimes::bulk_run_skipped_a_refusal);
    }
}

// The actions that a step may have changed.
std::vector<JobId> Checker::meant_by(const BulkRun& before, const BulkRun& after) {
    std::vector<JobId> meant;
    for (const auto& [id, job] : jobs_) {
        const bool in_reach = after.cursor && id <= *after.cursor && id < after.id &&
                              (!before.cursor || id > *before.cursor);
        if (in_reach && !job.deleted && job.row.tenant == after.tenant &&
            may_match(after.filter, job)) {
            meant.push_back(id);
        }
    }
    return meant;
}

// Before this batch, or after what else happened in it.
bool Checker::may_match(const ActionFilter& filter, const Tracked& job) const {
    const Job* after = row_after(job.row.id);
    const auto& ends = batch_->changes->attempts;
    const bool was_touched =
        std::any_of(ends.begin(), ends.end(),
                    [&](const Attempt& attempt) {
                        return attempt.job == job.row.id && attempt.end != AttemptEnd::cancelled;
                    }) ||
        is_operated_on(job.row.id);
    return (is_meant(filter, job.row) || (after != nullptr && is_meant(filter, *after))) &&
           (has_status(filter, job.row) || was_touched);
}

// Whether the row shows that the run changed it.
Checker::BulkTrace Checker::learn_bulk(const BulkRun& run, Tracked& job) {
    const Job* after = row_after(job.row.id);
    if (run.operation == Operation::run_now) {
        // Also where it was running, and came back in this batch.
        if (job.row.status == Status::pending || job.row.status == Status::blocked ||
            ended_attempt(job.row.id) != nullptr) {
            learn_operation({run.tenant, job.row.id, Operation::run_now, false}, job);
        }
        return BulkTrace::none;
    }
    const bool was_over = is_final(job.row.status);
    const bool is_over = after != nullptr ? is_final(after->status) : was_over;
    const bool ended_and_went_on = run.operation == Operation::retry && !was_over && !is_over &&
                                   ended_attempt(job.row.id) != nullptr;
    const bool is_shown =
        was_over != is_over &&
        (run.operation == Operation::retry ? was_over : after->status == Status::cancelled);
    // Its blockers still stand against it; or one of them failed in this batch, before the run.
    const bool failed_again = run.operation == Operation::retry &&
                              (was_over || job.row.status == Status::blocked) && is_over &&
                              job.row.blockers > 0;
    if (!is_shown && !ended_and_went_on && !failed_again) {
        return BulkTrace::none;
    }
    // Which of this batch's requests came before is not known.
    if (job.tuple) unclear_keys_.insert(*job.tuple);
    if (ended_and_went_on || failed_again) {
        if (failed_again) retried_.insert(job.row.id);
        operated_.insert(job.row.id);  // failed and retried, or due again by itself
        return BulkTrace::unclear;
    }
    if (run.operation == Operation::retry) {
        context_.sometimes.hit(Sometimes::bulk_run_retried);
        learn_operation({run.tenant, job.row.id, Operation::retry, false}, job);
        return BulkTrace::shown;
    }
    if (job.row.status == Status::running) {
        context_.sometimes.hit(Sometimes::bulk_run_cancelled_running_jobs);
    }
    operated_.insert(job.row.id);
    if (job.successor_of) jobs_.at(*job.successor_of).successor_since = 0;
    return BulkTrace::shown;
}

void Checker::apply_bulk() {
    for (const auto& change : batch_->changes->bulk_runs) {
        if (!change.after) {
            const auto& finished = change.before->finished_at;
            if (!finished || now() < *finished + context_.plan.settings.job_retention) {
                fail(Invariant::bulk_runs, "a bulk run was deleted before its retention was over");
            }
            bulk_runs_.erase(change.before->id);
            continue;
        }
        if (!bulk_asked_.contains(change.after->id)) {
            fail(Invariant::bulk_runs, "a bulk run was made, and nobody was told so");
        }
        bulk_runs_[change.after->id] = *change.after;
    }
}

}  // namespace semel::sim
