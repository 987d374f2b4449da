// Why an action is not running: the answer to the question that every operator asks. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.hpp"
#include "core/json_writer.hpp"
#include "core/load_spec.hpp"

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
    std::vector<JobId> blocked_by = {};  // chains, in the order in which they were given
    std::string detail;                  // one sentence, for people
};

// What is known of the job that goes first in the action's lock group.
struct GroupHead {
    Job job;
    bool has_worker = false;
};

struct Surroundings {
    Time now;
    bool has_worker = false;  // for the action's own type
    std::optional<GroupHead> group_head = {};
    std::vector<BlockerView> blockers = {};
};

// Nothing: it runs, or has ended.
[[nodiscard]] std::optional<WaitingFor> waiting_for(const Job& job,
                                                    const Surroundings& surroundings);

void write_waiting_for(JsonWriter& out, const WaitingFor& waiting);

}  // namespace semel
