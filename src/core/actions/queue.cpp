#include "core/actions/queue.hpp"

#include "core/schedules/occurrence.hpp"

namespace semel {
namespace {

void join_group(Workspace& workspace, Job& job) {
    const GroupKey key{job.tenant, job.lock_group};
    const LockGroup* group = workspace.groups.find(key);
    if (group != nullptr && workspace.runs_elsewhere(group->head)) {
        job.place = Place::waiting;  // the end of that attempt admits it
        return;
    }
    // A head whose row a damaged store has lost holds nothing.
    const Job* head = group != nullptr ? workspace.jobs.find(group->head) : nullptr;
    if (head == nullptr) {
        workspace.groups.put(key, LockGroup{key, job.id});
        job.place = place_by_time(job, workspace.now());
        return;
    }
    if (head->status == Status::running || !goes_before(job, *head)) {
        job.place = Place::waiting;
        return;
    }
    workspace.edit_job(head->id).place = Place::waiting;
    workspace.groups.edit(key).head = job.id;
    job.place = place_by_time(job, workspace.now());
}

}  // namespace

Place place_by_time(const Job& job, Time now) {
    return job.scheduled_at <= now ? Place::ready : Place::later;
}

void join_queue(Workspace& workspace, const JobId& id) {
    Job& job = workspace.edit_job(id);
    SEMEL_ASSERT(job.status == Status::pending);
    const Schedule* schedule = schedule_of(workspace, job);
    if (schedule != nullptr && schedule->is_paused) {
        job.place = Place::paused;
    } else if (job.predecessor) {
        job.place = Place::predecessor;
    } else if (!job.lock_group.empty()) {
        join_group(workspace, job);
    } else {
        job.place = place_by_time(job, workspace.now());
    }
}

void leave_queue(Workspace& workspace, const JobId& id) {
    Job& job = workspace.edit_job(id);
    if (job.place == Place::predecessor || job.lock_group.empty()) {
        return;
    }
    const GroupKey key{job.tenant, job.lock_group};
    const LockGroup* group = workspace.groups.find(key);
    if (group == nullptr || group->head != id) {
        return;
    }
    const Job* next = workspace.first_waiting(key);
    while (next != nullptr && move_missed_slot(workspace, next->id)) {
        next = workspace.first_waiting(key);  // it waited past its slot; another may be first now
    }
    if (next == nullptr) {
        workspace.groups.erase(key);
        return;
    }
    workspace.groups.edit(key).head = next->id;
    workspace.edit_job(next->id).place = place_by_time(*next, workspace.now());
}

}  // namespace semel
