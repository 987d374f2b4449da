// What a request meets under its key, and what becomes of a request that meets a job.
#pragma once

#include <variant>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// Nothing that counts: the request makes an independent action.
struct MeetsNothing {
    const char* rule = "";
};
// A job that was never taken: the request folds into it, by its own policy.
struct MeetsUntaken {
    JobId job;
};
// A job whose payload is frozen: the request becomes its one successor.
struct MeetsFrozen {
    JobId job;
};
// A job that the request's scope calls the same: it is answered as it stands.
struct MeetsSame {
    JobId job;
    const char* rule = "";
};
// A job whose rows are gone: only its id and status are known.
struct MeetsPurged {
    JobId job;
    Status status = Status::pending;
};
using Meeting =
    std::variant<MeetsNothing, MeetsUntaken, MeetsFrozen, MeetsSame, MeetsPurged, Problem>;

[[nodiscard]] Meeting meet(const Workspace& workspace, const Deduplication& wanted);

// Folds a request into a job that was never taken. A Problem means that nothing was changed.
[[nodiscard]] Item<ScheduledAction> fold(Workspace& workspace, const ActionRequest& request,
                                         const JobId& id);

// Answers with a job that stays as it is; `reject` refuses a payload that differs.
[[nodiscard]] Item<ScheduledAction> answer_same(const Workspace& workspace,
                                                const ActionRequest& request, const JobId& id);

[[nodiscard]] ActionView view_of(const Workspace& workspace, const JobId& id);

}  // namespace semel
