#include "core/actions/attempt_end.hpp"

#include "core/actions/queue.hpp"
#include "core/chains/chain.hpp"
#include "core/schedules/occurrence.hpp"

namespace semel {
namespace {

// Drops a successor whose row is missing, which only happens in a damaged store.
void forget_lost_successor(const Workspace& workspace, Job& job) {
    if (job.successor && workspace.jobs.find(*job.successor) == nullptr) {
        job.successor.reset();
    }
}

}  // namespace

void end_attempt(Workspace& workspace, const JobId& id, AttemptEnd end, const std::string& error) {
    Job& job = workspace.edit_job(id);
    SEMEL_ASSERT(job.status == Status::running);
    SEMEL_ASSERT(job.lease.has_value());
    Attempt attempt;
    attempt.job = id;
    attempt.number = job.attempts;
    attempt.token = job.token;
    attempt.worker = job.lease->worker;
    attempt.started_at = job.lease->started_at;
    attempt.ended_at = workspace.now();
    attempt.end = end;
    attempt.error = error;
    workspace.record(std::move(attempt));
    job.lease.reset();
    job.settling = false;
    forget_lost_successor(workspace, job);
}

void finish(Workspace& workspace, const JobId& id, Status status) {
    SEMEL_ASSERT(is_final(status));
    leave_queue(workspace, id);
    Job& job = workspace.edit_job(id);
    job.status = status;
    job.place = Place::done;
    job.completed_at = workspace.now();
    job.updated_at = workspace.now();
    forget_lost_successor(workspace, job);
    if (job.successor) {
        const JobId successor = *job.successor;
        job.successor.reset();
        workspace.edit_job(successor).predecessor.reset();
        join_queue(workspace, successor);
    }
    follow_occurrence(workspace, job);
    end_step(workspace, id);
}

void reopen(Workspace& workspace, const JobId& id, Time scheduled_at) {
    Job& job = workspace.edit_job(id);
    forget_lost_successor(workspace, job);
    if (job.successor) {
        job.superseded_by = job.successor;
        finish(workspace, id, Status::superseded);
        return;
    }
    leave_queue(workspace, id);
    job.status = Status::pending;
    job.scheduled_at = scheduled_at;
    job.updated_at = workspace.now();
    join_queue(workspace, id);
}

void fail_or_reopen(Workspace& workspace, const JobId& id, bool was_last, Millis wait) {
    if (was_last && !workspace.jobs.find(id)->successor) {
        finish(workspace, id, Status::failed);
    } else {
        reopen(workspace, id, add_clamped(workspace.now(), wait));
    }
}

}  // namespace semel
