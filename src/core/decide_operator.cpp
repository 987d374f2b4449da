// Decisions for operators: run now, retry, cancel.
#include <fmt/format.h>

#include "core/attempt_end.hpp"
#include "core/decide.hpp"
#include "core/decide_duplicate.hpp"
#include "core/line.hpp"

namespace semel {
namespace {

Problem wrong_state(const Job& job, std::string_view operation, std::string_view allowed) {
    return {.code = ProblemCode::wrong_state,
            .detail = fmt::format("the action is {}; only one that is {} can be {}",
                                  to_string(job.status), allowed, operation),
            .existing_id = job.id,
            .state = job.status};
}

// Brings the time to now, which ends a backoff. Lock group and predecessor still count.
std::optional<Problem> run(Workspace& workspace, const Job& job) {
    if (job.status != Status::pending && job.status != Status::blocked) {
        return wrong_state(job, "run now", "pending");
    }
    if (job.scheduled_at <= workspace.now()) {
        return std::nullopt;
    }
    leave_line(workspace, job.id);
    Job& edited = workspace.edit_job(job.id);
    edited.scheduled_at = workspace.now();
    edited.updated_at = workspace.now();
    if (edited.status == Status::pending) {
        join_line(workspace, job.id);
    }
    return std::nullopt;
}

std::optional<Problem> check_key_for_retry(const Workspace& workspace, const Job& job) {
    const Claim* claim = job.claim ? workspace.claims.find(*job.claim) : nullptr;
    if (claim == nullptr || !claim->owner || *claim->owner == job.id) {
        return std::nullopt;
    }
    return Problem{.code = ProblemCode::superseded,
                   .detail =
                       "a newer action has this one's key; retry with `force` to run this one "
                       "beside it",
                   .existing_id = *claim->owner,
                   .state = job.status};
}

// A new round: attempts from 0, a larger token.
std::optional<Problem> retry(Workspace& workspace, const Job& job, bool force) {
    if (!is_final(job.status) || job.status == Status::completed) {
        return wrong_state(job, "retried", "failed, cancelled or superseded");
    }
    auto problem = force ? std::nullopt : check_key_for_retry(workspace, job);
    if (problem) {
        return problem;
    }
    Job& edited = workspace.edit_job(job.id);
    edited.status = Status::pending;
    edited.attempts = 0;
    edited.lost_in_a_row = 0;
    if (edited.was_taken()) {
        edited.token = next_token(edited.token, workspace.now());  // a former owner may still call
    }
    edited.settled.reset();
    edited.superseded_by.reset();
    edited.completed_at.reset();
    edited.started_at.reset();
    edited.scheduled_at = workspace.now();
    edited.updated_at = workspace.now();
    workspace.set_result(job.id, std::nullopt);
    join_line(workspace, job.id);
    return std::nullopt;
}

// A cancelled successor supersedes nobody, and the key returns to its predecessor.
void return_key(Workspace& workspace, const Job& successor) {
    const JobId predecessor = *successor.predecessor;
    workspace.edit_job(predecessor).successor.reset();
    const Claim* found = successor.claim ? workspace.claims.find(*successor.claim) : nullptr;
    if (found != nullptr && found->owner == successor.id) {
        Claim& claim = workspace.claims.edit(found->id);
        claim.owner = predecessor;
        claim.window_from = workspace.jobs.find(predecessor)->created_at;
    }
    workspace.edit_job(successor.id).predecessor.reset();
}

std::optional<Problem> cancel(Workspace& workspace, const Job& job) {
    if (is_final(job.status) || job.status == Status::uncertain) {
        return wrong_state(job, "cancelled", "blocked, pending or running");
    }
    if (job.predecessor) {
        return_key(workspace, job);
    }
    if (job.status == Status::running) {
        end_attempt(workspace, job.id, AttemptEnd::cancelled, "cancelled by an operator");
        Job& fenced = workspace.edit_job(job.id);
        fenced.token = next_token(fenced.token, workspace.now());
    }
    finish(workspace, job.id, Status::cancelled);
    return std::nullopt;
}

std::optional<Problem> operate(Workspace& workspace, const OperateAction& command, const Job& job) {
    switch (command.operation) {
        case Operation::run: return run(workspace, job);
        case Operation::retry: return retry(workspace, job, command.force);
        case Operation::cancel: return cancel(workspace, job);
    }
    return std::nullopt;
}

}  // namespace

void name_rows(const OperateAction& command, LoadSpec& spec) {
    spec.jobs.push_back({.id = command.id, .body = true, .claim = true});
}

Reply<OperateAction> decide(const OperateAction& command, Workspace& workspace) {
    const Job* job = workspace.jobs.find(command.id);
    if (job == nullptr || job->tenant != command.tenant) {
        return not_found("there is no action with this id");
    }
    if (auto problem = operate(workspace, command, *job)) {
        return std::move(*problem);
    }
    return view_of(workspace, command.id);
}

}  // namespace semel
