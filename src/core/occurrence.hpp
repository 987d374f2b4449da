// Occurrences: the actions that a schedule makes, one after another. These are the steps of its
// line; which slot comes next is recurrence.hpp's business.
#pragma once

#include "core/workspace.hpp"

namespace semel {

inline constexpr const char* kNoSlotLeft = "the rule has no slot left before the year 10000";

// The parts of a schedule that each of its occurrences has.
void apply(const ScheduleSpec& spec, Job& job);

// The schedule whose current occurrence this job is; null: it is none, or has been replaced.
[[nodiscard]] const Schedule* schedule_of(const Workspace& workspace, const Job& job);

// Makes the schedule's current occurrence, at `slot` or where the missed policy moves it.
void add_occurrence(Workspace& workspace, const ScheduleKey& key, const Rule& rule, Time slot);

// An extra action outside the line: it has no slot.
[[nodiscard]] JobId add_triggered(Workspace& workspace, const Schedule& schedule);

// The current occurrence has ended, however that was: the next one takes its place.
void follow_occurrence(Workspace& workspace, const Job& ended);

// Applies the missed policy to an occurrence that becomes due or is resumed. A payload that has
// been taken keeps its slot. True: it moved.
bool settle_slot(Workspace& workspace, const JobId& id);

}  // namespace semel
