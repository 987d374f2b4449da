// Explains why an action is not running, as its member `waitingFor` shows it. The caller collects
// the facts in Surroundings. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/actions/job.hpp"
#include "core/batch/load_spec.hpp"
#include "core/json/json_writer.hpp"

namespace semel {

enum class WaitReason {
    not_due,
    backoff,
    lock_group,
    predecessor,
    no_worker,
    blocked,
    paused,
    ready,
};

[[nodiscard]] std::string_view to_string(WaitReason reason);

struct WaitingFor {
    WaitReason reason = WaitReason::ready;
    std::optional<Time> until = {};
    std::optional<JobId> held_by = {};
    std::vector<JobId> blocked_by = {};  // chains, in the order of the request
    std::string detail;                  // one sentence, for people
};

// The job that runs first in the action's lock group.
struct GroupHead {
    Job job;
    bool has_worker = false;  // for that job's type
};

// The facts that decide the reason.
struct Surroundings {
    Time now;
    bool has_worker = false;  // for the action's own type
    std::optional<GroupHead> group_head = {};
    std::vector<BlockerView> blockers = {};
};

// Returns the reason, or nullopt if the job runs or has ended.
[[nodiscard]] std::optional<WaitingFor> waiting_for(const Job& job,
                                                    const Surroundings& surroundings);

// Appends the reason as one object.
void write_waiting_for(JsonWriter& out, const WaitingFor& waiting);

}  // namespace semel
