#include "core/schedules/occurrence.hpp"

#include <algorithm>

#include "core/actions/new_job.hpp"
#include "core/actions/queue.hpp"

namespace semel {
namespace {

Job job_of(Workspace& workspace, const Schedule& schedule, std::optional<Time> slot) {
    const ScheduleSpec& spec = schedule.spec;
    Job job = new_job(workspace, schedule.key.tenant, slot.value_or(workspace.now()));
    apply(spec, job);
    job.occurrence = Occurrence{.schedule = schedule.id,
                                .name = schedule.key.name,
                                .slot = slot,
                                .interval = spec.rule_text(),
                                .type = spec.recurrence_type};
    return job;
}

void enqueue(Workspace& workspace, const Job& job, const std::string& payload) {
    workspace.add_job(job, JobBody{payload});
    join_queue(workspace, job.id);
}

// A rolling occurrence that ends before its time gives its slot back, because the next one is
// counted from the end and may be of that slot: its own becomes the time at which it ended, or the
// first after that which was not had.
std::optional<Time> given_back(const Schedule& schedule, Time slot, Time now) {
    if (schedule.spec.recurrence_type != RecurrenceType::rolling || slot <= now) {
        return std::nullopt;
    }
    const Time back = schedule.last_slot ? std::max(now, *schedule.last_slot + Millis(1)) : now;
    const bool is_free = back < slot && schedule.spent.around(back) == nullptr;
    return is_free ? std::optional(back) : std::nullopt;
}

void give_up(Schedule& schedule, std::string why) {
    schedule.current.reset();
    schedule.fault = std::move(why);
}

}  // namespace

void apply(const ScheduleSpec& spec, Job& job) {
    job.type = spec.type;
    job.lock_group = spec.lock_group;
    job.max_retries = spec.max_retries;
    job.backoff = spec.backoff;
    job.timeout = spec.timeout;
    job.priority = spec.priority;
}

const Schedule* schedule_of(const Workspace& workspace, const Job& job) {
    if (!job.occurrence) {
        return nullptr;
    }
    const Schedule* schedule = workspace.schedules.find({job.tenant, job.occurrence->name});
    const bool is_current = schedule != nullptr && schedule->id == job.occurrence->schedule &&
                            schedule->current == job.id;
    return is_current ? schedule : nullptr;
}

void add_occurrence(Workspace& workspace, const ScheduleKey& key, const Rule& rule, Time slot) {
    Schedule& schedule = workspace.schedules.edit(key);
    const auto settled = apply_missed_policy(rule, schedule.spec.missed, slot, workspace.now());
    if (!settled) {
        give_up(schedule, kNoSlotLeft);
        return;
    }
    const Job job = job_of(workspace, schedule, *settled);
    schedule.current = job.id;
    schedule.fault.clear();
    enqueue(workspace, job, schedule.spec.payload);
}

JobId add_triggered(Workspace& workspace, const Schedule& schedule) {
    const Job job = job_of(workspace, schedule, std::nullopt);
    enqueue(workspace, job, schedule.spec.payload);
    return job.id;
}

void follow_occurrence(Workspace& workspace, const Job& ended) {
    const Schedule* known = schedule_of(workspace, ended);
    if (known == nullptr) {
        return;
    }
    const ScheduleKey key = known->key;
    Schedule& schedule = workspace.schedules.edit(key);
    const Time now = workspace.now();
    Time slot = *ended.occurrence->slot;
    const auto back = given_back(schedule, slot, now);
    if (back) {
        slot = *back;
        workspace.edit_job(ended.id).occurrence->slot = slot;
    }
    schedule.spend(slot, back.value_or(now));
    const auto rule = schedule.rule(*workspace.settings().zones);
    if (!rule) {
        give_up(schedule, rule.error().message());
        return;
    }
    if (const auto next =
            next_slot(*rule, schedule.spec.recurrence_type, slot, now, schedule.last_slot)) {
        add_occurrence(workspace, key, *rule, *next);
    } else {
        give_up(schedule, kNoSlotLeft);
    }
}

bool move_missed_slot(Workspace& workspace, const JobId& id) {
    const Job& job = *workspace.jobs.find(id);
    const Schedule* schedule = schedule_of(workspace, job);
    if (schedule == nullptr || job.was_taken()) {
        return false;
    }
    const auto rule = schedule->rule(*workspace.settings().zones);
    if (!rule) {
        return false;  // keeps its slot; the next occurrence will have the fault
    }
    const auto slot =
        apply_missed_policy(*rule, schedule->spec.missed, *job.occurrence->slot, workspace.now());
    if (!slot || *slot == *job.occurrence->slot) {
        return false;
    }
    Job& edited = workspace.edit_job(id);
    edited.occurrence->slot = *slot;
    edited.scheduled_at = *slot;
    edited.updated_at = workspace.now();
    return true;
}

}  // namespace semel
