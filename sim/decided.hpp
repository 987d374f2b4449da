// What was decided in one batch, and by whose messages: what the checker goes by.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/batch/changes.hpp"
#include "core/commands.hpp"
#include "sim/plan.hpp"
#include "sim/world.hpp"

namespace semel::sim {

struct Batch;

// One message to the engine that is decided there. A client's request may be sent several times.
struct Send {
    const RequestPlan* request = nullptr;  // null: a worker's call
    int number = 0;                        // of the request
    std::vector<ItemPlan> items;           // as sent: a repeat may differ
    std::optional<ScheduleOrder> order;    // the same
    std::optional<ChainOrder> chain;       // the same
    int changed_by = 0;                    // a repeat that says something else
    int landed = 0;
    bool answered = false;
    std::shared_ptr<Batch> batch;  // the latest that decided it

    [[nodiscard]] std::string body() const;  // of a request for actions
};

struct DecidedSchedule {
    ScheduleActions::Outcome answers;
    Receipt receipt;  // as the client will read it
};
struct DecidedCalls {
    SettleJobs command;
    SettleJobs::Outcome answers;
};
struct DecidedOperation {
    OperateAction command;
    Reply<OperateAction> reply;
};
struct DecidedOrder {
    ScheduleOrder order;
    // That of a put is also that of pause and resume.
    std::variant<Reply<PutSchedule>, Reply<TriggerSchedule>, Reply<DeleteSchedule>> reply;
};
struct DecidedBulk {
    StartBulk command;
    Reply<StartBulk> reply;
};
// The rest is about chains; what was asked stands in the message.
struct DecidedStart {
    StartChains::Outcome answers;
};
struct DecidedCompletion {
    Reply<CompleteChain> reply;
};
struct DecidedCancel {
    Reply<CancelChain> reply;
};
struct DecidedRemoval {
    Reply<DeleteChain> reply;
};
// A call on a fence, by its owner or an operator.
template <typename Command>
struct DecidedFence {
    Command command;
    Reply<Command> reply;
};
struct Decided {
    std::shared_ptr<Send> send;
    std::string tenant;
    std::variant<DecidedSchedule, DecidedCalls, DecidedOperation, DecidedOrder, DecidedBulk,
                 DecidedStart, DecidedCompletion, DecidedCancel, DecidedRemoval,
                 DecidedFence<CallFence>, DecidedFence<ResolveClaim>, DecidedFence<DeleteClaim>>
        what;
};

// What was decided together, and what became of it.
struct Batch {
    enum class Fate { deciding, landed, nothing_to_save, lost };
    Time now;
    ProcessId process = kOutside;
    int began_after = 0;  // so many commits: what was absent may be there by now
    Fate fate = Fate::deciding;
    int commit = 0;  // its number, when it has landed
    std::shared_ptr<const Changes> changes;
    std::vector<Decided> decided;
};

// What a user's own transaction leaves when it commits.
struct LeftBehind {
    std::vector<OutboxEntry> entries;
    std::map<std::int64_t, std::optional<ItemPlan>> items;  // by entry; empty: cannot be read
    std::map<std::int64_t, ChainPlan> chains;               // by entry
    int began_after = 0;                                    // so many commits of users
};

}  // namespace semel::sim
