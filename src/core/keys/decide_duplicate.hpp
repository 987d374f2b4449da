// Deduplication of actions: finds the action that a request's key meets, and answers the duplicate.
//
// `meet` decides the case. The caller then makes an action or a successor, or calls `fold` or
// `answer_same`. A refusal is a Problem. Threads: one per workspace.
#pragma once

#include <variant>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// No owner of the key counts. The request makes an independent action. `rule` is the reason.
struct MeetsNothing {
    const char* rule = "";
};
// A job that no worker has claimed yet. The request folds into it, by its own `onDuplicate`.
struct MeetsUntaken {
    JobId job;
};
// A job whose payload is frozen, because a worker has claimed it. The request becomes its one
// successor.
struct MeetsFrozen {
    JobId job;
};
// A job that counts as the same action under the request's scope. It is the answer, unchanged.
struct MeetsSame {
    JobId job;
    const char* rule = "";
};
// A job whose rows are deleted. Only its id and final status are known.
struct MeetsPurged {
    JobId job;
    Status status = Status::pending;
};
using Meeting =
    std::variant<MeetsNothing, MeetsUntaken, MeetsFrozen, MeetsSame, MeetsPurged, Problem>;

// Returns the newest owner of the key that counts under the request's window and scope. If none
// counts, the result has the newest owner's reason. Problem: `uncertain`.
[[nodiscard]] Meeting meet(const Workspace& workspace, const Deduplication& wanted);

// Folds a request into a job that no worker has claimed yet. A Problem means that nothing changed.
[[nodiscard]] Item<ScheduledAction> fold(Workspace& workspace, const ActionRequest& request,
                                         const JobId& id);

// Answers with a job that stays unchanged. Under `reject` a payload that differs is a `conflict`.
[[nodiscard]] Item<ScheduledAction> answer_same(const Workspace& workspace,
                                                const ActionRequest& request, const JobId& id);

// Returns the job with everything that users see of it. REQUIRES: it is loaded with its payload.
[[nodiscard]] ActionView view_of(const Workspace& workspace, const JobId& id);

}  // namespace semel
