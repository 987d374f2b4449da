// Decisions for workers: take, complete, fail, heartbeat, release.
#include <algorithm>

#include "core/actions/attempt_end.hpp"
#include "core/actions/settle.hpp"
#include "core/chains/chain.hpp"
#include "core/decide.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

void fail(Workspace& workspace, const JobCall& call) {
    end_attempt(workspace, call.id, AttemptEnd::failed, call.error);
    workspace.set_result(
        call.id, JobResult{.output = {}, .error_message = call.error, .error_code = "failed"});
    Job& job = workspace.edit_job(call.id);
    job.lost_in_a_row = 0;
    const Millis wait =
        call.retry_after.value_or(job.backoff.wait(job.attempts, workspace.random()));
    fail_or_reopen(workspace, call.id, call.final || job.attempts >= job.max_retries, wait);
}

// Returns the job to its queue: the attempt is not counted, and the job keeps its time.
void release(Workspace& workspace, const JobCall& call) {
    end_attempt(workspace, call.id, AttemptEnd::released, "");
    Job& job = workspace.edit_job(call.id);
    --job.attempts;
    job.lost_in_a_row = 0;  // its owner lived and spoke
    reopen(workspace, call.id, job.scheduled_at);
}

void heartbeat(Workspace& workspace, const JobCall& call) {
    Time& until = workspace.edit_job(call.id).lease->until;
    until = call.lease ? add_clamped(workspace.now(), *call.lease)
                       : std::max(until, add_clamped(workspace.now(), kLeaseDefault));
}

Item<JobAnswer> call_one(Workspace& workspace, const std::string& tenant, const JobCall& call) {
    const Job* job = workspace.jobs.find(call.id);
    if (job == nullptr || job->tenant != tenant) {
        return not_found(
            "there is no job with this id: it was deleted, and whoever worked on it has lost it, "
            "or "
            "it never was. Nothing was changed");
    }
    // A call is accepted while its token is current, also after the lease ran out, until someone
    // took over.
    const bool token_is_current = call.token == job->token && job->was_taken();
    if (!token_is_current) {
        return Problem{.code = ProblemCode::stale_token,
                       .detail =
                           "this token does not own the job, or no longer: stop working on it. "
                           "Nothing was changed",
                       .state = job->status};
    }
    if (job->status != Status::running) {
        return answer_repeat(workspace, *job, call);
    }
    if (job->settling) {
        if (call.verb != Verb::heartbeat) {
            workspace.postpone();  // and then answered like any call after the end
        }
        return answer_for(*job);
    }
    switch (call.verb) {
        case Verb::complete:
            if (auto problem = complete(workspace, call)) {
                return std::move(*problem);
            }
            break;
        case Verb::fail: fail(workspace, call); break;
        case Verb::release: release(workspace, call); break;
        case Verb::heartbeat: heartbeat(workspace, call); return answer_for(*job);
    }
    remember(workspace, call);
    return answer_for(*job);
}

std::size_t bytes_of(const JobBody& body, const std::vector<BlockerView>& blockers) {
    std::size_t bytes = body.payload.size();
    for (const BlockerView& blocker : blockers) {
        bytes += blocker.output ? blocker.output->size() : 0;
    }
    return bytes;
}

}  // namespace

void name_rows(const TakeJobs& command, LoadSpec& spec) {
    spec.queries.emplace_back(command.query);
}

Reply<TakeJobs> decide(const TakeJobs& command, Workspace& workspace) {
    TakeJobs::Outcome taken;
    std::size_t bytes = 0;
    QueryResult query = workspace.next_query_result();
    for (const JobId& id : query.jobs) {
        const Job* found = workspace.jobs.find(id);
        if (found == nullptr || found->place != Place::ready) {
            continue;  // an earlier command of this batch moved it
        }
        const JobBody* body = workspace.bodies.find(id);
        SEMEL_ASSERT(body != nullptr);
        std::vector<BlockerView> blockers = std::move(query.blockers[id]);
        bytes += bytes_of(*body, blockers);
        if (!taken.empty() && bytes > kTakeBytesMax) {
            break;
        }
        Job& job = workspace.edit_job(id);
        const auto handler_timeout = command.timeouts.find(job.type);
        std::optional<Millis> timeout = job.timeout;
        if (!timeout && handler_timeout != command.timeouts.end()) {
            timeout = handler_timeout->second;
        }
        job.status = Status::running;
        job.place = Place::running;
        ++job.attempts;  // counted before anyone runs: a job that kills its process cannot loop
        job.token = next_token(job.token, workspace.now());
        job.lease = Lease{command.worker, workspace.now(),
                          add_clamped(workspace.now(), command.lease), std::nullopt};
        if (timeout) {
            job.lease->timeout_at = add_clamped(workspace.now(), *timeout);
        }
        job.started_at = workspace.now();
        job.updated_at = workspace.now();
        job.settled.reset();
        taken.push_back({job, body->payload, std::move(blockers)});
    }
    return taken;
}

void name_rows(const SettleJobs& command, LoadSpec& spec) {
    for (const auto& call : command.calls) {
        if (const auto* known = std::get_if<JobCall>(&call)) {
            spec.jobs.push_back({.id = known->id, .outcome = true});
            if (known->verb == Verb::complete) spec.jobs.back().completed_by = known->token;
            if (known->continue_with) {
                name_continuation_rows(*known->continue_with, command.tenant, spec);
            }
        }
    }
}

Reply<SettleJobs> decide(const SettleJobs& command, Workspace& workspace) {
    SettleJobs::Outcome answers;
    answers.reserve(command.calls.size());
    for (const auto& call : command.calls) {
        const auto* known = std::get_if<JobCall>(&call);
        if (known == nullptr) {
            answers.emplace_back(std::get<Problem>(call));
            continue;
        }
        workspace.begin_item();
        answers.push_back(call_one(workspace, command.tenant, *known));
        if (auto refusal = workspace.refusal_of_locked_item()) {
            answers.back() = *std::move(refusal);
        } else if (std::holds_alternative<Problem>(answers.back())) {
            workspace.roll_back_item();
        }
    }
    return answers;
}

}  // namespace semel
