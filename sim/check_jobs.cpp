// What a commit may do to the rows.
#include <algorithm>

#include "sim/checker.hpp"
#include "support/row_invariants.hpp"

namespace semel::sim {
namespace {

constexpr int kRowsCheckedEvery = 8;  // commits
constexpr Millis kClockSlack{2};

// The shortest wait that a backoff allows after `attempts` attempts.
Millis shortest_wait(const Backoff& backoff, int attempts) {
    switch (backoff.kind) {
        case Backoff::Kind::linear: return backoff.base * attempts;
        case Backoff::Kind::fixed: return backoff.base;
        case Backoff::Kind::exponential:
            return std::min<Millis>(backoff.base * (1LL << (attempts - 1)), backoff.max);
        case Backoff::Kind::jitter: break;
    }
    return Millis(0);
}

bool is_takeover(AttemptEnd end) {
    return end == AttemptEnd::lost || end == AttemptEnd::timeout || end == AttemptEnd::cancelled;
}

}  // namespace

// Store time follows the steady clock, at most a tenth faster or slower, whatever the wall does.
void Checker::check_time(Time now) {
    const auto elapsed = std::chrono::duration_cast<Millis>(context_.world.now() - clock_began_);
    const Time earliest = clock_time_ + elapsed * 9 / 10 - kClockSlack;
    const Time latest = clock_time_ + elapsed * 11 / 10 + kClockSlack;
    if (now < last_now_) {
        fail(Invariant::store_time, "store time went back");
    } else if (now < earliest || now > latest) {
        fail(Invariant::store_time,
             fmt::format("store time is {} ms, and lies between {} and {} by the steady clock",
                         to_ms(now), to_ms(earliest), to_ms(latest)));
    }
    last_now_ = now;
}

void Checker::apply_rows() {
    if (violation_) {
        return;
    }
    const Changes& changes = *batch_->changes;
    for (const auto& [id, body] : changes.bodies) {
        if (Tracked* job = find(id)) job->stored_payload = body.payload;
    }
    for (const auto& [id, result] : changes.results) {
        if (result) {
            results_[id] = *result;
        } else {
            results_.erase(id);
        }
    }
    for (const Attempt& attempt : changes.attempts) check_attempt(attempt);
    apply_edges();
    for (const auto& change : changes.jobs) check_change(change);
    check_blockers();
    check_said();
    apply_schedules();
    apply_bulk();
    for (const auto& change : changes.groups) {
        if (change.after) {
            groups_[change.after->key] = *change.after;
        } else {
            groups_.erase(change.before->key);
        }
    }
    check_groups();
    check_claims();
    settle_unclear_keys();
    count_rare_rows();
    if (commits_ % kRowsCheckedEvery == 0) check_rows();
}

// ---- attempts -----------------------------------------------------------------------------------

void Checker::check_attempt(const Attempt& attempt) {
    Tracked* job = find(attempt.job);
    if (job == nullptr) {
        fail(Invariant::rows_fit, "an attempt of a job that was never made");
        return;
    }
    const AttemptId id{attempt.job, attempt.token};
    context_.trace.line("ended {} token {} {}", name(attempt.job), to_int(attempt.token),
                        to_string(attempt.end));
    const auto take = takes_.find(id);
    if (take == takes_.end()) {
        // Taken and ended in one batch.
        takes_[id] = {job->payload, attempt.number, batch_->process};
        job->highest = std::max(job->highest, attempt.token);
    } else if (take->second.attempts != attempt.number) {
        fail(Invariant::attempts_counted,
             fmt::format("{} ends as attempt {}, and was taken as {}", name(attempt.job),
                         attempt.number, take->second.attempts));
    }
    ends_[id] = attempt.end;
    if (attempt.end == AttemptEnd::completed && ++job->completions > 1) {
        fail(Invariant::sealed_once, fmt::format("{} was completed twice", name(attempt.job)));
    }
    const Job* after = row_after(attempt.job);
    const bool is_fenced =
        after != nullptr ? after->token > attempt.token : is_deleted_now(attempt.job);
    if (is_takeover(attempt.end) && !is_fenced) {
        fail(Invariant::tokens_grow,
             fmt::format("{} was taken from its owner ({}), and the owner's token is still good",
                         name(attempt.job), to_string(attempt.end)));
    }
    const auto& lease = job->row.lease;
    const bool is_early =
        lease && ((attempt.end == AttemptEnd::lost && now() < lease->until) ||
                  (attempt.end == AttemptEnd::timeout && now() < lease->timeout_at));
    if (is_early) {
        fail(Invariant::nothing_early,
             fmt::format("{} was taken from its owner before its time", name(attempt.job)));
    }
    if (job->row.settling && !settled_.contains(attempt.job)) {
        fail(Invariant::outbox_result,
             fmt::format("{} was ended ({}), although its owner's result is committed",
                         name(attempt.job), to_string(attempt.end)));
    }
    wait_after(*job, attempt);
}

void Checker::wait_after(Tracked& job, const Attempt& attempt) {
    if (attempt.end == AttemptEnd::lost || attempt.end == AttemptEnd::timeout) {
        count_decision(job.row.tenant, Decision::takeover);
    }
    if (attempt.end == AttemptEnd::timeout) context_.sometimes.hit(Sometimes::attempt_timed_out);
    if (attempt.end == AttemptEnd::lost && job.row.occurrence) {
        context_.sometimes.hit(Sometimes::occurrence_taken_over);
    }
    if (attempt.end == AttemptEnd::lost && context_.plan.nodes > 1 &&
        takes_.at({attempt.job, attempt.token}).by != batch_->process) {
        context_.sometimes.hit(Sometimes::rescued_by_another_node);
    }
    job.lost_in_a_row = attempt.end == AttemptEnd::lost ? job.lost_in_a_row + 1 : 0;
    if (job.lost_in_a_row > 1) context_.sometimes.hit(Sometimes::second_lost_lease_in_a_row);
    if (attempt.end == AttemptEnd::released) {
        context_.sometimes.hit(Sometimes::job_released);
        --job.attempts;
        return;
    }
    if (retried_.contains(attempt.job)) job.lost_in_a_row = 0;  // only what has ended is retried
    if (operated_.contains(attempt.job)) {
        return;  // an operator's word counts, whichever came first
    }
    Millis wait = shortest_wait(job.row.backoff, std::max(attempt.number, 1));
    if (attempt.end == AttemptEnd::failed) {
        wait = retry_after_[{attempt.job, attempt.token}].value_or(wait);
    } else if (attempt.end == AttemptEnd::lost && job.lost_in_a_row == 1) {
        wait = Millis(0);
    }
    job.not_before = now() + wait;
    job.waits_for_backoff = true;
}

// ---- jobs ---------------------------------------------------------------------------------------

void Checker::check_change(const Change<Job>& change) {
    if (violation_) {
        return;
    }
    const JobId& id = change.after ? change.after->id : change.before->id;
    Tracked* job = find(id);
    if (job == nullptr) {
        const bool is_occurrence = change.after && change.after->occurrence;
        fail(is_occurrence ? Invariant::one_occurrence : Invariant::one_row_per_request,
             fmt::format("{} was made, and nobody was told so", name(id)));
        return;
    }
    if (change.before && (job->deleted || *change.before != job->row)) {
        fail(Invariant::rows_fit, fmt::format("{} was not as the batch saw it", name(id)));
    }
    if (!change.before) {
        check_inserted(*change.after);
    } else if (!change.after) {
        check_deleted(*job);
    } else {
        check_changed(*job, *change.after);
    }
    if (!change.before) job->made_by = commits_;
    if (change.after) {
        if (change.after->place == Place::ready &&
            (!change.before || change.before->place != Place::ready)) {
            job->ready_since = now();
        }
        job->row = *change.after;
        job->has_ended = job->has_ended || is_final(change.after->status);
    }
}

void Checker::check_inserted(const Job& job) {
    context_.trace.line("made {} {} {} place {}", name(job.id), job.tenant, job.type,
                        static_cast<int>(job.place));
    const bool has_begun_otherwise = job.status == Status::blocked || job.status == Status::failed;
    if (job.status == Status::failed && job.blockers > 0) check_failed_by_blocker(job);
    if (job.status != Status::pending && !operated_.contains(job.id) &&
        !completed_.contains(job.id) && !(job.blockers > 0 && has_begun_otherwise)) {
        fail(Invariant::rows_fit,
             fmt::format("{} begins as {}", name(job.id), to_string(job.status)));
    }
    const std::string& payload = jobs_.at(job.id).stored_payload;
    if (payload != jobs_.at(job.id).payload) {
        fail(Invariant::last_payload, fmt::format("{} has the payload {}", name(job.id), payload));
    }
}

void Checker::check_deleted(Tracked& job) {
    context_.trace.line("pruned {}", name(job.row.id));
    context_.sometimes.hit(Sometimes::job_pruned);
    job.deleted = true;
    results_.erase(job.row.id);
    if (job.tuple) {
        auto& owners = keys_.at(*job.tuple);
        if (owners.back().job != job.row.id) {  // the newest is remembered with its key
            std::erase_if(owners, [&](const Owner& owner) { return owner.job == job.row.id; });
        }
    }
    if (removed_chains_.contains(job.row.chain)) {
        return;
    }
    check_pruned_step(job);
    const bool is_time = is_final(job.row.status) && job.row.completed_at &&
                         now() >= *job.row.completed_at + context_.plan.settings.job_retention;
    if (!is_time) {
        fail(Invariant::acknowledged_exists,
             fmt::format("{} was deleted as {}, before its retention was over", name(job.row.id),
                         to_string(job.row.status)));
    }
}

void Checker::check_changed(Tracked& job, const Job& after) {
    const Job& before = job.row;
    context_.trace.line("row {} {} place {} token {} attempts {}", name(after.id),
                        to_string(after.status), static_cast<int>(after.place), to_int(after.token),
                        after.attempts);
    check_kept_fields(before, after);
    if (after.token < before.token) {
        fail(Invariant::tokens_grow, fmt::format("{} has a smaller token", name(after.id)));
    }
    const bool reopened = is_final(before.status) && after.status != before.status;
    const bool may_reopen = retried_.contains(after.id) && before.status != Status::completed;
    if (reopened && !may_reopen) {
        fail(Invariant::terminal_absorbs,
             fmt::format("{} was {} and is {}", name(after.id), to_string(before.status),
                         to_string(after.status)));
    }
    if (after.status == Status::cancelled && before.status != after.status &&
        !operated_.contains(after.id)) {
        fail(Invariant::bulk_runs,
             fmt::format("{} was cancelled, and nobody asked for it", name(after.id)));
    }
    const bool ended = before.lease && (!after.lease || after.token != before.token);
    if (ended && !ends_.contains({before.id, before.token})) {
        fail(Invariant::rows_fit, fmt::format("an attempt of {} left no history", name(after.id)));
    }
    if (after.lease && after.token != before.token) {
        check_take(job, after);
    }
    check_unblocked(job, after);
    // Whoever did something to it may have done so to one that was taken in this batch.
    if (operated_.contains(after.id) || completed_.contains(after.id)) {
        job.attempts = after.attempts;
    } else if (job.attempts != after.attempts) {
        fail(Invariant::attempts_counted,
             fmt::format("{} has {} attempts, counted are {}", name(after.id), after.attempts,
                         job.attempts));
    }
}

void Checker::check_kept_fields(const Job& before, const Job& after) {
    const bool is_same = before.tenant == after.tenant && before.claim == after.claim &&
                         before.created_at == after.created_at && before.chain == after.chain &&
                         before.chain_index == after.chain_index &&
                         before.blockers == after.blockers;
    const bool kept = before.type == after.type && before.lock_group == after.lock_group &&
                      before.max_retries == after.max_retries && before.backoff == after.backoff &&
                      before.timeout == after.timeout && before.priority == after.priority;
    if (!is_same || (!kept && !edited_.contains(after.id))) {
        fail(Invariant::rows_fit, fmt::format("{} changed what never changes", name(after.id)));
    }
}

void Checker::check_take(Tracked& job, const Job& after) {
    const auto broken = [&](Invariant invariant, std::string_view what) {
        fail(invariant, fmt::format("{} ({}): {}", name(after.id), label(job), what));
    };
    if (now() < job.not_before) {
        broken(job.waits_for_backoff ? Invariant::backoff_kept : Invariant::nothing_early,
               fmt::format("taken {} ms early", (job.not_before - now()).count()));
    }
    if (after.token <= job.highest) {
        broken(Invariant::tokens_grow, "taken with a token that was there before");
    }
    if (++job.attempts > std::max(1, after.max_retries)) {
        broken(Invariant::attempts_counted, "taken more often than it may be");
    }
    if (job.successor_since > 0 && job.successor_since < commits_) {
        broken(Invariant::last_payload, "run again, although a later payload was acknowledged");
    }
    if (job.stored_payload != job.payload) {
        broken(Invariant::last_payload, "taken with " + job.stored_payload);
    }
    const bool is_held = std::any_of(lines_.begin(), lines_.end(), [&](const auto& entry) {
        return entry.second.was_held && entry.second.current == after.id;
    });
    if (is_held) broken(Invariant::one_occurrence, "taken, although its schedule is paused");
    check_successor_waits(job);
    job.highest = after.token;
    job.waits_for_backoff = false;
    takes_[{after.id, after.token}] = {job.payload, job.attempts, batch_->process};
}

void Checker::check_successor_waits(const Tracked& job) {
    if (!job.successor_of) {
        return;
    }
    const Tracked& predecessor = jobs_.at(*job.successor_of);
    const Job* after = row_after(*job.successor_of);
    const Job& row = after != nullptr ? *after : predecessor.row;
    if (row.status == Status::running && row.token == job.predecessor_token) {
        fail(Invariant::last_payload, fmt::format("{} was taken while its predecessor {} runs",
                                                  name(job.row.id), name(row.id)));
    }
}

// ---- groups, claims, everything ---------------------------------------------------------------

void Checker::check_groups() {
    std::map<GroupKey, JobId> runs;
    for (const auto& [id, job] : jobs_) {
        if (job.deleted || job.row.status != Status::running || job.row.lock_group.empty()) {
            continue;
        }
        const auto [other, is_first] = runs.try_emplace({job.row.tenant, job.row.lock_group}, id);
        if (!is_first) {
            fail(Invariant::groups_disjoint,
                 fmt::format("{} and {} of group {} run at once", name(other->second), name(id),
                             job.row.lock_group));
        }
    }
}

void Checker::check_claims() {
    for (const auto& change : batch_->changes->claims) {
        const Claim& row = change.after ? *change.after : *change.before;
        if (row.space == "chains") check_chain_claim(change);
        if (row.space != "actions") {
            continue;
        }
        if (!change.after) {
            claims_.erase(row.id);
            continue;
        }
        claims_[row.id] = row;
        const auto tuple = tuples_.find(row.id);
        if (tuple == tuples_.end()) {
            continue;
        }
        const bool is_right = keys_.at(tuple->second) == row.owners;
        if (!is_right && !unclear_keys_.contains(tuple->second)) {
            fail(Invariant::one_owner,
                 fmt::format("the owners of the key {} are {}, not {}", row.full_key,
                             owners_text(row.owners), owners_text(keys_.at(tuple->second))));
        }
    }
}

std::string Checker::owners_text(const std::vector<Owner>& owners) {
    std::string text;
    for (const Owner& owner : owners) {
        text += fmt::format("{} from {}; ", name(owner.job), to_ms(owner.window_from));
    }
    return text;
}

// Where either order was right, the rows say which it was.
void Checker::settle_unclear_keys() {
    if (unclear_keys_.empty()) {
        return;
    }
    for (const auto& [id, claim] : claims_) {
        const auto tuple = tuples_.find(id);
        if (tuple != tuples_.end() && unclear_keys_.contains(tuple->second)) {
            keys_.at(tuple->second) = claim.owners;
        }
    }
}

void Checker::check_rows() {
    if (violation_) {
        return;
    }
    test::StoredRows rows;
    rows.now = last_now_;  // batches that were loaded later may have landed before this one
    for (const auto& [id, job] : jobs_) {
        if (job.deleted) {
            continue;
        }
        const auto result = results_.find(id);
        rows.actions.push_back({job.row, JobBody{job.stored_payload},
                                result == results_.end() ? JobResult{} : result->second});
    }
    for (const auto& [key, group] : groups_) rows.groups.push_back(group);
    for (const auto& [id, claim] : claims_) rows.claims.push_back(claim);
    for (const auto& [key, edge] : edges_) rows.edges.push_back(edge);
    for (const auto& [key, schedule] : schedules_) {
        ScheduleView& view = rows.schedules.emplace_back();
        view.schedule = schedule;
        if (schedule.current) view.current = jobs_.at(*schedule.current).row;
    }
    const auto broken = test::broken_invariants(rows);
    if (!broken.empty()) {
        fail(Invariant::rows_fit, broken.front());
    }
}

void Checker::count_rare_rows() {
    count_rare_chains();
    for (const auto& change : batch_->changes->jobs) {
        if (!change.before || !change.after) {
            continue;
        }
        const Job& before = *change.before;
        const Job& after = *change.after;
        if (after.status == Status::superseded && before.status == Status::running) {
            context_.sometimes.hit(Sometimes::predecessor_superseded);
        }
        if (after.status == Status::failed && before.status == Status::running) {
            context_.sometimes.hit(Sometimes::failed_with_no_attempt_left);
        }
        const auto end = ends_.find({before.id, before.token});
        if (!before.lease || after.lease || after.lock_group.empty() || end == ends_.end()) {
            continue;
        }
        const auto group = groups_.find({after.tenant, after.lock_group});
        if (group != groups_.end() && group->second.head != after.id) {
            if (end->second == AttemptEnd::failed) {
                context_.sometimes.hit(Sometimes::group_handed_on_at_failure);
            }
            if (end->second == AttemptEnd::lost || end->second == AttemptEnd::timeout) {
                context_.sometimes.hit(Sometimes::group_handed_on_at_takeover);
            }
        }
    }
}

}  // namespace semel::sim
