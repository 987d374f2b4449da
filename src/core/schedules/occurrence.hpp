// Occurrences: the actions that a schedule makes, one after another.
//
// A schedule has at most one current occurrence. The commit that ends it makes the next one.
// core/schedules/recurrence.hpp computes the slots. Errors: a schedule without a next slot gets a
// `fault`. Threads: one per workspace.
#pragma once

#include "core/batch/workspace.hpp"

namespace semel {

inline constexpr const char* kNoSlotLeft = "the rule has no slot left before the year 10000";

// Copies the type and the options of a schedule to a job.
void apply(const ScheduleSpec& spec, Job& job);

// Returns the schedule whose current occurrence this job is, or null. Null also means that the
// schedule was deleted, or that a later schedule has its name.
[[nodiscard]] const Schedule* schedule_of(const Workspace& workspace, const Job& job);

// Makes the schedule's current occurrence at `slot`, or at the slot to which the missed policy
// moves it. If no slot is left, the schedule has no occurrence and its `fault` gives the reason.
void add_occurrence(Workspace& workspace, const ScheduleKey& key, const Rule& rule, Time slot);

// Makes an extra action, due now, without a slot. A pause of the schedule does not hold it.
[[nodiscard]] JobId add_triggered(Workspace& workspace, const Schedule& schedule);

// Makes the next occurrence after `ended`, in whatever status it ended. Does nothing if `ended` was
// not the current one. If the rule gives no slot, the schedule's `fault` gives the reason.
void follow_occurrence(Workspace& workspace, const Job& ended);

// Applies the missed policy to an occurrence that becomes due or is resumed. Returns true if its
// slot changed. A job that a worker has claimed before keeps its slot.
bool move_missed_slot(Workspace& workspace, const JobId& id);

}  // namespace semel
