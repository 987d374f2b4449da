// Decisions on schedules: put, pause, resume, trigger, delete.
#include "core/actions/attempt_end.hpp"
#include "core/actions/queue.hpp"
#include "core/decide.hpp"
#include "core/json/canonical_json.hpp"
#include "core/keys/decide_duplicate.hpp"
#include "core/schedules/occurrence.hpp"

namespace semel {
namespace {

Problem no_schedule() {
    return not_found("there is no schedule of this name");
}

// Returns the current occurrence, or null. Null also means that a damaged store has lost its row.
const Job* current_of(const Workspace& workspace, const Schedule& schedule) {
    return schedule.current ? workspace.jobs.find(*schedule.current) : nullptr;
}

ScheduleView view_of_schedule(const Workspace& workspace, const ScheduleKey& key) {
    ScheduleView view;
    view.schedule = *workspace.schedules.find(key);
    if (const Job* job = current_of(workspace, view.schedule)) {
        view.current = *job;
    }
    return view;
}

bool same_payload(const std::string& a, const std::string& b) {
    return a == b ||
           same_content(json::Document::parse(a)->root(), json::Document::parse(b)->root());
}

bool is_same(ScheduleSpec a, const ScheduleSpec& b) {
    if (!same_payload(a.payload, b.payload)) {
        return false;
    }
    a.payload = b.payload;
    return a == b;
}

// Changes the pending occurrence in place. A job that a worker has claimed stays unchanged.
std::optional<Problem> edit_occurrence(Workspace& workspace, const Schedule& schedule,
                                       const Job& job, const std::optional<Rule>& before,
                                       const Rule& after) {
    if (job.status != Status::pending || job.was_taken()) {
        return std::nullopt;
    }
    const Time now = workspace.now();
    const SlotEdit edit{*job.occurrence->slot, schedule.last_come(now), schedule.spec.start_at};
    const auto slot = slot_after_edit(before, after, edit, now);
    if (!slot) {
        return invalid(kNoSlotLeft);
    }
    leave_queue(workspace, job.id);
    Job& edited = workspace.edit_job(job.id);
    apply(schedule.spec, edited);
    if (*slot != *edited.occurrence->slot) {
        edited.scheduled_at = *slot;
    }
    edited.occurrence->slot = *slot;
    edited.occurrence->interval = schedule.spec.rule_text();
    edited.occurrence->type = schedule.spec.recurrence_type;
    edited.updated_at = workspace.now();
    workspace.bodies.put(job.id, JobBody{schedule.spec.payload});
    workspace.enter_group(job.id);
    join_queue(workspace, job.id);
    return std::nullopt;
}

// Makes the schedule's first occurrence, or a missing one after a fault.
std::optional<Problem> begin(Workspace& workspace, const ScheduleKey& key, const Rule& rule) {
    const Schedule& schedule = *workspace.schedules.find(key);
    const Time now = workspace.now();
    const auto& start_at = schedule.spec.start_at;
    const auto slot = schedule.had_slots()
                          ? slot_behind(rule, schedule.last_come(now), start_at, now)
                          : first_slot(rule, start_at, now);
    if (!slot) {
        return invalid(kNoSlotLeft);
    }
    add_occurrence(workspace, key, rule, *slot);
    return std::nullopt;
}

std::optional<Problem> create(Workspace& workspace, const PutSchedule& command, const Rule& rule) {
    Schedule schedule;
    schedule.id = workspace.new_id();
    schedule.key = command.key;
    schedule.spec = command.spec;
    schedule.created_at = workspace.now();
    schedule.updated_at = workspace.now();
    workspace.schedules.put(command.key, std::move(schedule));
    return begin(workspace, command.key, rule);
}

std::optional<Problem> edit(Workspace& workspace, const PutSchedule& command, const Rule& rule) {
    Schedule& schedule = workspace.schedules.edit(command.key);
    const auto before = schedule.spec.rule(*workspace.settings().zones);
    const Rule after = rule.without(schedule.spent);
    schedule.spec = command.spec;
    schedule.updated_at = workspace.now();
    const Job* current = current_of(workspace, schedule);
    if (current == nullptr) {
        return begin(workspace, command.key, after);
    }
    const auto readable = before ? std::optional(*before) : std::nullopt;
    return edit_occurrence(workspace, schedule, *current, readable, after);
}

// Returns the pending occurrence, which a pause holds and a resume releases.
std::optional<JobId> pending_occurrence(const Workspace& workspace, const Schedule& schedule) {
    const Job* job = current_of(workspace, schedule);
    return job != nullptr && job->status == Status::pending ? std::optional(job->id) : std::nullopt;
}

}  // namespace

void name_rows(const PutSchedule& command, LoadSpec& spec) {
    spec.schedules.push_back(command.key);
    if (!command.spec.lock_group.empty()) {
        spec.groups.push_back({command.key.tenant, command.spec.lock_group});
    }
}

Reply<PutSchedule> decide(const PutSchedule& command, Workspace& workspace) {
    const auto rule = command.spec.rule(*workspace.settings().zones);
    if (!rule) {
        return invalid(rule.error().message());
    }
    const Schedule* known = workspace.schedules.find(command.key);
    const bool is_new = known == nullptr;
    if (is_new || current_of(workspace, *known) == nullptr || !is_same(known->spec, command.spec)) {
        auto problem = is_new ? create(workspace, command, *rule) : edit(workspace, command, *rule);
        if (problem) {
            return std::move(*problem);
        }
    }
    ScheduleView view = view_of_schedule(workspace, command.key);
    view.is_new = is_new;
    return view;
}

void name_rows(const PauseSchedule& command, LoadSpec& spec) {
    spec.schedules.push_back(command.key);
}

Reply<PauseSchedule> decide(const PauseSchedule& command, Workspace& workspace) {
    const Schedule* known = workspace.schedules.find(command.key);
    if (known == nullptr) {
        return no_schedule();
    }
    if (known->is_paused != command.pause) {
        Schedule& schedule = workspace.schedules.edit(command.key);
        const auto pending = pending_occurrence(workspace, schedule);
        if (pending) {
            leave_queue(workspace, *pending);
        }
        schedule.is_paused = command.pause;
        schedule.updated_at = workspace.now();
        if (pending) {
            if (!command.pause) {
                move_missed_slot(workspace, *pending);
            }
            join_queue(workspace, *pending);
        }
    }
    const Schedule& schedule = *workspace.schedules.find(command.key);
    if (!command.pause && current_of(workspace, schedule) == nullptr) {
        const auto rule = schedule.rule(*workspace.settings().zones);
        auto problem = rule ? begin(workspace, command.key, *rule)
                            : std::optional(invalid(rule.error().message()));
        if (problem) {
            return std::move(*problem);
        }
    }
    return view_of_schedule(workspace, command.key);
}

void name_rows(const TriggerSchedule& command, LoadSpec& spec) {
    spec.schedules.push_back(command.key);
}

Reply<TriggerSchedule> decide(const TriggerSchedule& command, Workspace& workspace) {
    const Schedule* schedule = workspace.schedules.find(command.key);
    if (schedule == nullptr) {
        return no_schedule();
    }
    return view_of(workspace, add_triggered(workspace, *schedule));
}

void name_rows(const DeleteSchedule& command, LoadSpec& spec) {
    spec.schedules.push_back(command.key);
}

Reply<DeleteSchedule> decide(const DeleteSchedule& command, Workspace& workspace) {
    const Schedule* known = workspace.schedules.find(command.key);
    if (known == nullptr) {
        return no_schedule();
    }
    const Schedule schedule = *known;
    const auto pending = pending_occurrence(workspace, schedule);
    workspace.schedules.erase(command.key);  // first: what ends now has no successor
    if (pending) {
        finish(workspace, *pending, Status::cancelled);
    }
    return schedule;
}

}  // namespace semel
