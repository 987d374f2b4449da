// Decisions for operators: run now, retry, cancel, resolve.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/operate.hpp"
#include "core/actions/queue.hpp"
#include "core/chains/blockers.hpp"
#include "core/chains/chain.hpp"
#include "core/chains/cycle.hpp"
#include "core/decide.hpp"
#include "core/keys/decide_duplicate.hpp"

namespace semel {
namespace {

Problem wrong_state(const Job& job, std::string_view operation, std::string_view allowed) {
    return {.code = ProblemCode::wrong_state,
            .detail = fmt::format("the action is {}; only one that is {} can be {}",
                                  to_string(job.status), allowed, operation),
            .existing_id = job.id,
            .state = job.status};
}

// Makes the job due now, which ends a backoff. It still waits for its lock group and predecessor.
std::optional<Problem> run_now(Workspace& workspace, const Job& job) {
    if (job.status != Status::pending && job.status != Status::blocked) {
        return wrong_state(job, "run now", "blocked or pending");
    }
    if (job.scheduled_at <= workspace.now()) {
        return std::nullopt;
    }
    leave_queue(workspace, job.id);
    Job& edited = workspace.edit_job(job.id);
    edited.scheduled_at = workspace.now();
    edited.updated_at = workspace.now();
    if (edited.status == Status::pending) {
        join_queue(workspace, job.id);
    }
    return std::nullopt;
}

// Returns the job that owns the key: the first job of a chain.
const Job& key_holder(const Workspace& workspace, const Job& job) {
    const Job* first = first_of_chain(workspace, job);
    return first != nullptr ? *first : job;
}

// Returns true if the owner has ended: an action itself, a chain with its last job.
bool is_over(const Workspace& workspace, const JobId& owner) {
    const Job* job = workspace.jobs.find(owner);
    if (job != nullptr && job->in_chain) {
        job = last_of_chain(workspace, *job);
    }
    return job == nullptr || is_final(job->status);
}

bool is_owner(const Claim& claim, const JobId& job) {
    return std::any_of(claim.owners.begin(), claim.owners.end(),
                       [&](const Owner& owner) { return owner.job == job; });
}

// Returns true if the newest owner got the key after `holder`. Owners are listed in their order. A
// missing owner was dropped for a later one, except a cancelled successor, whose key returned to
// the action before it. Ids do not show the order, because callers can choose them.
bool came_after(const Claim& claim, const Job& holder) {
    if (is_owner(claim, holder.id) || holder.in_chain) {
        return true;
    }
    const Owner& newest = claim.newest();
    return std::tie(newest.window_from, newest.job) > std::tie(holder.created_at, holder.id);
}

// Refuses a retry if the key has another owner: a newer action, or the action that it returned to.
std::optional<Problem> check_key_for_retry(const Workspace& workspace, const Job& job) {
    const Job& holder = key_holder(workspace, job);
    const Claim* claim = holder.claim ? workspace.claims.find(*holder.claim) : nullptr;
    if (claim == nullptr || claim->owners.empty() || claim->is_newest(holder.id)) {
        return std::nullopt;
    }
    const JobId& newest = claim->newest().job;
    if (!came_after(*claim, holder) && is_over(workspace, newest)) {
        return std::nullopt;
    }
    return Problem{.code = ProblemCode::superseded,
                   .detail =
                       "another action has this one's key; retry with `force` to run this one "
                       "beside it",
                   .existing_id = newest,
                   .state = job.status};
}

// Makes a retried successor the newest owner of its key again. Its cancellation had returned the
// key.
void own_again(Workspace& workspace, const Job& job) {
    const Claim* claim = job.claim ? workspace.claims.find(*job.claim) : nullptr;
    if (claim == nullptr || claim->owners.empty() || is_owner(*claim, job.id)) {
        return;
    }
    Claim& edited = workspace.claims.edit(claim->id);
    if (edited.purged_as) {
        edited.owners.pop_back();
        edited.purged_as.reset();
    }
    edited.expires_at.reset();
    edited.owners.push_back({.job = job.id, .window_from = job.created_at});
}

// Starts a new round: attempts from 0, with a larger token.
std::optional<Problem> retry(Workspace& workspace, const Job& job, bool force) {
    if (!is_final(job.status) || job.status == Status::completed) {
        return wrong_state(job, "retried", "failed, cancelled or superseded");
    }
    auto problem = check_key_for_retry(workspace, job);
    const bool runs_beside = problem.has_value();
    if (problem && !force) {
        return problem;
    }
    // Whom it waited for may have come to wait for it since it ended.
    if (auto cycle = check_cycle(workspace, job)) {
        return cycle;
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
    if (!runs_beside) {
        own_again(workspace, job);
    }
    reopen_by_blockers(workspace, job.id);
    if (edited.status == Status::blocked) {
        hold_graph(workspace, edited.tenant);
    }
    return std::nullopt;
}

// Unlinks a cancelled successor from its predecessor.
void leave_predecessor(Workspace& workspace, const Job& successor) {
    if (workspace.jobs.find(*successor.predecessor) != nullptr) {  // or a damaged store lost it
        workspace.edit_job(*successor.predecessor).successor.reset();
    }
    workspace.edit_job(successor.id).predecessor.reset();
}

// The key of a cancelled successor returns to its predecessor.
void return_key(Workspace& workspace, const Job& job) {
    const Claim* claim = job.claim ? workspace.claims.find(*job.claim) : nullptr;
    if (claim != nullptr && claim->is_newest(job.id) && claim->newest().is_successor &&
        claim->owners.size() > 1) {
        workspace.claims.edit(claim->id).owners.pop_back();
    }
}

std::optional<Problem> cancel(Workspace& workspace, const Job& job) {
    if (is_final(job.status) || job.status == Status::uncertain) {
        return wrong_state(job, "cancelled", "blocked, pending or running");
    }
    return_key(workspace, job);
    if (job.predecessor) {
        leave_predecessor(workspace, job);
    }
    if (job.status == Status::running) {
        end_attempt(workspace, job.id, AttemptEnd::cancelled, "cancelled by an operator");
        Job& fenced = workspace.edit_job(job.id);
        fenced.token = next_token(fenced.token, workspace.now());
    }
    finish(workspace, job.id, Status::cancelled);
    return std::nullopt;
}

// Applies the operator's finding. A retry is a new attempt of the same round.
void resolve(Workspace& workspace, const JobId& id, Resolution resolution,
             const std::string& reason) {
    switch (resolution) {
        case Resolution::completed:
            workspace.set_result(id, std::nullopt);
            finish(workspace, id, Status::completed);
            break;
        case Resolution::failed:
            workspace.set_result(id, JobResult{.output = {},
                                               .error_message = reason,
                                               .error_code = std::string("resolved")});
            finish(workspace, id, Status::failed);
            break;
        case Resolution::retry: reopen(workspace, id, workspace.now()); break;
    }
}

void record_resolution(Workspace& workspace, const ResolveAction& command) {
    const Job& job = *workspace.jobs.find(command.id);
    DecisionEntry entry;
    entry.at = workspace.now();
    entry.tenant = job.tenant;
    entry.surface = surface_of(job);
    entry.type = job.type;
    entry.claim = job.claim;
    entry.decision = Decision::resolved;
    entry.rule = to_string(command.resolution);
    entry.effect_id = job.id;
    entry.token = job.token;
    entry.reason = command.reason;
    workspace.record(std::move(entry));
}

}  // namespace

std::optional<Problem> operate(Workspace& workspace, const Job& job, Operation operation,
                               bool force) {
    if (job.settling) {
        workspace.postpone();  // what its owner did is committed: the result comes first
        return std::nullopt;
    }
    switch (operation) {
        case Operation::run_now: return run_now(workspace, job);
        case Operation::retry: return retry(workspace, job, force);
        case Operation::cancel: return cancel(workspace, job);
    }
    return std::nullopt;
}

void name_rows(const OperateAction& command, LoadSpec& spec) {
    spec.jobs.push_back({.id = command.id, .body = true, .claim = true, .blockers = true});
    if (command.operation == Operation::retry) {
        name_graph(command.tenant, spec);
    }
}

Reply<OperateAction> decide(const OperateAction& command, Workspace& workspace) {
    const Job* job = workspace.jobs.find(command.id);
    if (job == nullptr || job->tenant != command.tenant) {
        return not_found("there is no action with this id");
    }
    if (auto problem = operate(workspace, *job, command.operation, command.force)) {
        return std::move(*problem);
    }
    return view_of(workspace, command.id);
}

void name_rows(const ResolveAction& command, LoadSpec& spec) {
    spec.jobs.push_back({.id = command.id, .body = true});
}

Reply<ResolveAction> decide(const ResolveAction& command, Workspace& workspace) {
    const Job* job = workspace.jobs.find(command.id);
    if (job == nullptr || job->tenant != command.tenant) {
        return not_found("there is no action with this id");
    }
    if (job->settling) {
        workspace.postpone();
    }
    if (job->status != Status::uncertain) {
        return wrong_state(*job, "resolved", "uncertain");
    }
    resolve(workspace, command.id, command.resolution, command.reason);
    record_resolution(workspace, command);
    return view_of(workspace, command.id);
}

}  // namespace semel
