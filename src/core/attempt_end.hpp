// The one exit of an attempt: however it ended, its history is written, its lease given up, and
// whoever waited for it moves on.
#pragma once

#include <optional>
#include <string>

#include "core/workspace.hpp"

namespace semel {

// Writes the history entry and gives up the lease.
// REQUIRES: the job is running; the caller gives it its next state with one of the two below.
void end_attempt(Workspace& workspace, const JobId& id, AttemptEnd end, const std::string& error);

// Ends the job for good. A waiting successor joins its line; a schedule makes its next occurrence.
void finish(Workspace& workspace, const JobId& id, Status status);

// Lets the job be taken again at `scheduled_at`; but one with a successor is not run again: it is
// superseded.
void reopen(Workspace& workspace, const JobId& id, Time scheduled_at);

// After an attempt that did not complete: fails the job if that was its last, else reopens it after
// `wait`. A successor supersedes it either way.
void fail_or_reopen(Workspace& workspace, const JobId& id, bool was_last, Millis wait);

}  // namespace semel
