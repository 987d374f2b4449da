// Lines: where a pending job stands, and how a lock group admits its members one at a time.
#pragma once

#include "core/workspace.hpp"

namespace semel {

// Gives a pending job its place: with its predecessor, in its lock group's line, or by its time.
// REQUIRES: the job is in no line (just made, or just left one).
void join_line(Workspace& workspace, const JobId& id);

// Takes a job out of its line and lets the next member of its group move up.
// REQUIRES: the caller gives the job a new place.
void leave_line(Workspace& workspace, const JobId& id);

// The place of a job that nothing but time holds back.
[[nodiscard]] Place place_by_time(const Job& job, Time now);

}  // namespace semel
