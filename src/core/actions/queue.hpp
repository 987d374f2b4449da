// The queues of pending jobs: which place a job gets, and which member a lock group admits next.
//
// A lock group admits one job at a time, its head. The others wait in the order of scheduledAt, id.
// The functions change only the workspace. The store saves the new places with the batch. Errors:
// none. Threads: one per workspace.
#pragma once

#include "core/batch/workspace.hpp"

namespace semel {

// Puts a pending job into a queue and sets its `place`. The first case that applies decides:
//   1. `paused`, if its schedule is paused
//   2. `predecessor`, if it must wait for the attempt of its predecessor
//   3. in its lock group: `waiting`, or the group's head, which gets a place by its time
//   4. a place by its time
// REQUIRES: the job is in no queue. It is new, or has just left one.
void join_queue(Workspace& workspace, const JobId& id);

// Takes a job out of its queue. If it was the head of its lock group, the next waiting member
// becomes the head. An occurrence that missed its slot while it waited moves to its new slot first.
// REQUIRES: the caller gives the job a new place.
void leave_queue(Workspace& workspace, const JobId& id);

// Returns `ready` if the job is due at `now`, otherwise `later`.
[[nodiscard]] Place place_by_time(const Job& job, Time now);

}  // namespace semel
