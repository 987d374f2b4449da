#include "sim/checker.hpp"

#include <algorithm>

namespace semel::sim {

void Checker::fail(Invariant invariant, const std::string& message) {
    if (!violation_) {
        violation_ = Violation{invariant, message};
        context_.trace.line("VIOLATION {}: {}", name_of(invariant), message);
    }
}

std::string Checker::name(const JobId& id) {
    const auto [at, is_new] = names_.try_emplace(id, static_cast<int>(names_.size()) + 1);
    return fmt::format("J{}", at->second);
}

Checker::Tracked* Checker::find(const JobId& id) {
    const auto at = jobs_.find(id);
    return at == jobs_.end() ? nullptr : &at->second;
}

bool Checker::is_running(const JobId& id) const {
    const auto at = jobs_.find(id);
    return at != jobs_.end() && at->second.row.status == Status::running;
}

bool Checker::anyone_runs() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [](const auto& entry) {
        return !entry.second.deleted && entry.second.row.status == Status::running;
    });
}

std::string Checker::label(const Tracked& job) {
    if (job.item) {
        return fmt::format("#{}", job.item->number);
    }
    return job.row.occurrence ? job.row.occurrence->name
                              : fmt::format("#{}", number_in(job.payload));
}

const Attempt* Checker::ended_attempt(const JobId& id) const {
    if (!batch_->changes) {
        return nullptr;
    }
    const auto& ended = batch_->changes->attempts;
    const auto at = std::find_if(ended.begin(), ended.end(),
                                 [&](const Attempt& attempt) { return attempt.job == id; });
    return at == ended.end() ? nullptr : &*at;
}

const Job* Checker::row_after(const JobId& id) const {
    const auto at = batch_after_.find(id);
    return at == batch_after_.end() ? nullptr : at->second;
}

// ---- the store ----------------------------------------------------------------------------------

void Checker::clock_started(Time store_time) {
    clock_time_ = store_time;
    clock_began_ = context_.world.now();
}

void Checker::process_started() {
    ++processes_;
    if (anyone_runs()) {
        context_.sometimes.hit(Sometimes::restart_found_running_job);
    }
}

std::shared_ptr<Batch> Checker::loaded(Time now, ProcessId process, int began_after) {
    check_time(now);
    auto batch = std::make_shared<Batch>();
    batch->now = now;
    batch->process = process;
    batch->began_after = began_after;
    return batch;
}

void Checker::decided(Decided decided) {
    decided.send->batch = batch_;
    batch_->decided.push_back(std::move(decided));
}

void Checker::landed(Time landed_at) {
    if (violation_) {
        return;
    }
    const auto batch = batch_;
    batch->fate = Batch::Fate::landed;
    batch->commit = ++commits_;
    batch_after_.clear();
    for (const auto& change : batch->changes->jobs) {
        if (change.after) {
            batch_after_.emplace(change.after->id, &*change.after);
        }
    }
    for (const Decided& decided : batch->decided) {
        if (++decided.send->landed > 1) {
            fail(Invariant::one_row_per_request, "one message was decided and saved twice");
        }
        if (const auto* calls = std::get_if<DecidedCalls>(&decided.what)) {
            for (const auto& call : calls->command.calls) {
                const Tracked* job = find(std::get<JobCall>(call).id);
                const bool is_over = job != nullptr && job->row.lease &&
                                     now() < job->row.lease->until &&
                                     job->row.lease->until <= landed_at;
                if (is_over) context_.sometimes.hit(Sometimes::lease_lost_during_commit);
            }
        }
    }
    check_all_decided();
    if (!violation_) check_lines();
    settle_shared_payloads();
    apply_rows();
}

void Checker::nothing_to_save() {
    if (violation_) {
        return;
    }
    batch_->fate = Batch::Fate::nothing_to_save;
    batch_after_.clear();
    check_all_decided();
    if (!violation_) check_said();
}

void Checker::check_all_decided() {
    retried_.clear();
    operated_.clear();
    unclear_keys_.clear();
    find_shared_keys();
    begin_bulk();
    begin_lines();
    begin_chains();
    check_outbox();
    fences_.begin(*batch_, commits_);
    for (const Decided& decided : batch_->decided) {
        if (violation_) {
            return;
        }
        std::visit([&](const auto& what) { check_one(decided, what); }, decided.what);
    }
    end_lines();
    end_chains();
    if (!violation_) fences_.end();
}

void Checker::abandoned(const std::shared_ptr<Batch>& batch) {
    if (batch && batch->fate == Batch::Fate::deciding) {
        batch->fate = Batch::Fate::lost;
        if (batch->changes) context_.sometimes.hit(Sometimes::crash_with_commit_in_flight);
    }
}

// ---- the engine ---------------------------------------------------------------------------------

void Checker::answered(const Send& send, const std::optional<Error>& error) {
    if (!send.batch) {
        return;  // turned away, or replayed from a receipt
    }
    fences_.recorded(send.batch->commit);
    const Batch::Fate fate = send.batch->fate;
    if (!error) {
        if (fate != Batch::Fate::landed && fate != Batch::Fate::nothing_to_save) {
            fail(Invariant::answered_from_durable_row,
                 fmt::format("request {} was answered while its commit was not made", send.number));
        }
        return;
    }
    if (error->code() != ErrorCode::commit_unknown && fate == Batch::Fate::landed) {
        fail(Invariant::answered_from_durable_row,
             fmt::format("request {} was answered `{}`, and its commit was made", send.number,
                         error->message()));
    }
}

void Checker::observed(const DecisionEntry& entry) {
    // Replays are not decided again; fences are counted by what they were told.
    if (entry.surface != "api" && entry.surface != "fences") {
        observed_count_[{entry.tenant, entry.decision}] += entry.count;
    }
}

// ---- those who work -----------------------------------------------------------------------------

void Checker::started(const TakenJob& taken, const std::string& worker_tenant) {
    const Job& job = taken.job;
    context_.trace.line("start {} token {} attempt {} {}", name(job.id), to_int(job.token),
                        job.attempts, taken.payload);
    const auto take = takes_.find({job.id, job.token});
    const Tracked* tracked = find(job.id);
    const bool is_gone =
        tracked != nullptr && (tracked->deleted || tracked->row.created_at > job.created_at);
    if (take == takes_.end() && is_gone) {
        return;  // taken and deleted in one commit, which leaves no trace of it; its id may be in
                 // use again
    }
    if (take == takes_.end()) {
        fail(Invariant::answered_from_durable_row,
             fmt::format("{} starts, and its taking was not committed", name(job.id)));
        return;
    }
    if (std::exchange(take->second.has_started, true)) {
        fail(Invariant::current_token, fmt::format("{} starts twice with one token", name(job.id)));
    }
    if (take->second.payload != taken.payload) {
        fail(Invariant::last_payload,
             fmt::format("{} starts with {}, the last acknowledged is {}", name(job.id),
                         taken.payload, take->second.payload));
    }
    if (job.attempts < 1 || job.attempts != take->second.attempts) {
        fail(Invariant::attempts_counted,
             fmt::format("{} starts as attempt {}, counted are {}", name(job.id), job.attempts,
                         take->second.attempts));
    }
    if (job.tenant != worker_tenant) {
        fail(Invariant::tenants_apart,
             fmt::format("{} is given to a worker of {}", name(job.id), worker_tenant));
    }
    check_blockers_told(taken);
}

// The outside world keeps the highest token it has seen, and refuses older ones.
void Checker::effect(const TakenJob& taken) {
    const Job& job = taken.job;
    Token& highest = effects_[job.id];
    if (job.token < highest) {
        context_.trace.line("effect of {} token {} refused", name(job.id), to_int(job.token));
        return;
    }
    highest = job.token;
    const Tracked* tracked = find(job.id);
    const bool is_sealed = tracked != nullptr && tracked->row.status == Status::completed &&
                           tracked->row.token < job.token;
    if (is_sealed) {
        fail(Invariant::sealed_once,
             fmt::format("{} takes effect again after its completion", name(job.id)));
    }
}

void Checker::local_retry_after(const TakenJob& job, std::optional<Millis> retry_after) {
    retry_after_[{job.job.id, job.job.token}] = retry_after;
}

void Checker::acknowledged(const ScheduledAction& answer) {
    Tracked* job = find(answer.action.job.id);
    if (job == nullptr) {
        fail(Invariant::acknowledged_exists,
             fmt::format("{} was acknowledged and does not exist", name(answer.action.job.id)));
    } else {
        job->acknowledged = true;
    }
}

}  // namespace semel::sim
