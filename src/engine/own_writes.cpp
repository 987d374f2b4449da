#include "engine/own_writes.hpp"

#include <algorithm>

#include "core/chains/chain.hpp"
#include "engine/handler_call.hpp"

namespace semel {
namespace {

// How often the statements may need other rows. Usually a second run names the same rows.
constexpr int kNamingsMax = 3;

SettleJobs to_command(const std::string& tenant, const JobCall& call) {
    return {.tenant = tenant, .calls = {call}};
}

// The call of a worker whose attempt continues. It is accepted exactly if the attempt has the job.
JobCall heartbeat(const JobId& id, Token token) {
    return {.id = id, .token = token, .verb = Verb::heartbeat};
}

Item<JobAnswer> decide_one(Workspace& workspace, const std::string& tenant, const JobCall& call) {
    auto reply = decide(to_command(tenant, call), workspace);
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return std::move(*problem);
    }
    return std::move(std::get<SettleJobs::Outcome>(reply).front());
}

bool is_refused(const Item<JobAnswer>& answer) {
    return std::holds_alternative<Problem>(answer);
}

LoadSpec rows_of(const std::optional<JobCall>& call, const std::string& tenant) {
    LoadSpec spec;
    if (call && call->continue_with) {
        name_continuation_rows(*call->continue_with, tenant, spec);
    }
    return spec;
}

bool is_same(const JobRef& a, const JobRef& b) {
    return a.id == b.id && a.body == b.body;
}

// Returns true if the rows that a continuation needs were loaded for an earlier one.
bool covers(const LoadSpec& loaded, const LoadSpec& needed) {
    const bool is_nothing = needed.claims.empty() && needed.jobs.empty() &&
                            needed.wanted_ids.empty() && needed.waits_from.empty() &&
                            needed.groups.empty();
    return is_nothing ||
           (loaded.claims == needed.claims && loaded.wanted_ids == needed.wanted_ids &&
            loaded.waits_from == needed.waits_from && loaded.groups == needed.groups &&
            std::equal(loaded.jobs.begin(), loaded.jobs.end(), needed.jobs.begin(),
                       needed.jobs.end(), is_same));
}

}  // namespace

// ---- AtomicTask -------------------------------------------------------------------------------

JobCall AtomicTask::plain_call() const {
    return to_call(end_->job, HandlerResult{}, settings_);
}

JobCall AtomicTask::failed_call(HandlerResult result) const {
    return to_call(end_->job, std::move(result), settings_);
}

void AtomicTask::begin() {
    ran_.reset();
    reply_.reset();
    named_ = rows_of(end_->call, end_->job.job.tenant);
}

void AtomicTask::name_rows(LoadSpec& spec) const {
    semel::name_rows(to_command(end_->job.job.tenant, end_->call.value_or(plain_call())), spec);
}

void AtomicTask::settle(Workspace& workspace, const JobCall& call) {
    then_ = Then::answer;
    reply_ = decide_one(workspace, end_->job.job.tenant, call);
}

void AtomicTask::decide(Workspace& workspace) {
    if (failure_) {
        end_->call = failure_;
        settle(workspace, *failure_);
        return;
    }
    if (ran_) {
        decide_run(workspace);
        return;
    }
    const Job& job = end_->job.job;
    if (is_refused(decide_one(workspace, job.tenant, heartbeat(job.id, job.token)))) {
        // Another owner has the job, or an earlier try has ended it and this call is a repeat.
        settle(workspace, end_->call.value_or(plain_call()));
        return;
    }
    then_ = Then::write;
}

// Keeps the writes only if the job is completed with them.
void AtomicTask::decide_run(Workspace& workspace) {
    end_->call = *ran_;
    if (!covers(named_, rows_of(end_->call, end_->job.job.tenant))) {
        then_ = Then::begin_again;
        if (++namings_ >= kNamingsMax) {
            failure_ = failed_call(
                failed_for_good("what the handler continues with has other blockers, keys or "
                                "lock groups each time its statements are run"));
        }
        return;
    }
    settle(workspace, *end_->call);
    if (end_->call->verb == Verb::complete && is_refused(*reply_)) {
        failure_ = failed_call(refused_step(std::get<Problem>(*reply_)));
        then_ = Then::begin_again;
    }
}

std::shared_ptr<const OwnWrites> AtomicTask::own_writes() {
    ran_ = std::make_shared<std::optional<JobCall>>();
    return std::make_shared<OwnWrites>([end = end_, &settings = settings_, ran = ran_](Tx& tx) {
        HandlerResult result = end->run(tx);
        if (result.in_commit || result.in_sql) {
            result = failed_for_good(
                "a handler that runs in its job's commit says there how the job ends");
        }
        *ran = to_call(end->job, std::move(result), settings);
        return (*ran)->verb == Verb::complete;
    });
}

void AtomicTask::written(const Written& written) {
    if (written.error.empty()) {
        return;
    }
    if (!*ran_ || (*ran_)->verb == Verb::complete) {  // otherwise the handler has said why
        *ran_ =
            failed_call(written.is_final ? failed_for_good(written.error) : failed(written.error));
    }
    if (written.is_lost) {
        failure_ = *ran_;
    }
}

void AtomicTask::answer(const Result<void>& committed) {
    if (committed) {
        done_(std::move(*reply_));
    } else {
        done_(committed.error());
    }
}

// ---- WriteTask --------------------------------------------------------------------------------

void WriteTask::begin() {
    error_.reset();
}

void WriteTask::name_rows(LoadSpec& spec) const {
    if (attempt_) {
        semel::name_rows(to_command(attempt_->tenant, heartbeat(attempt_->id, attempt_->token)),
                         spec);
    }
}

void WriteTask::decide(Workspace& workspace) {
    then_ = Then::answer;
    if (failure_) {
        return;
    }
    if (attempt_) {
        const auto answer =
            decide_one(workspace, attempt_->tenant, heartbeat(attempt_->id, attempt_->token));
        if (const auto* problem = std::get_if<Problem>(&answer)) {
            failure_ = Error(ErrorCode::refused, problem->detail);
            return;
        }
    }
    if (error_ == nullptr) {
        then_ = Then::write;
    }
}

std::shared_ptr<const OwnWrites> WriteTask::own_writes() {
    error_ = std::make_shared<std::optional<std::string>>();
    return std::make_shared<OwnWrites>([statements = statements_, error = error_](Tx& tx) {
        *error = statements(tx);
        return !*error;
    });
}

void WriteTask::written(const Written& written) {
    if (*error_) {
        failure_ = Error(ErrorCode::invalid, **error_);
    } else if (!written.error.empty()) {
        failure_ = Error(written.is_final ? ErrorCode::refused : ErrorCode::invalid, written.error);
    }
}

void WriteTask::answer(const Result<void>& committed) {
    done_(committed && failure_ ? Result<void>(*failure_) : committed);
}

}  // namespace semel
