// Commands of every kind that random work is made of, and their replies.
#pragma once

#include <string>
#include <variant>

#include "core/commands.hpp"

namespace semel::test {

using AnyCommand =
    std::variant<ScheduleActions, TakeJobs, SettleJobs, OperateAction, ResolveAction, PutSchedule,
                 PauseSchedule, TriggerSchedule, DeleteSchedule, StartBulk, StepBulk, StartChains,
                 CompleteChain, CancelChain, DeleteChain, PromoteDue, RescueExpired, FailDependants,
                 PruneJobs, PruneClaims, PruneBulkRuns, ClaimFence, CallFence, ResolveClaim,
                 DeleteClaim, PruneSources, CountRepeats>;
// Some kinds have the same reply: Reply<OperateAction> is also that of ResolveAction and
// TriggerSchedule, Reply<PutSchedule> that of PauseSchedule, Reply<CallFence> that of ResolveClaim
// and DeleteClaim.
using AnyReply =
    std::variant<Reply<ScheduleActions>, Reply<TakeJobs>, Reply<SettleJobs>, Reply<OperateAction>,
                 Reply<PutSchedule>, Reply<DeleteSchedule>, Reply<StartBulk>, Reply<StartChains>,
                 Reply<CompleteChain>, Reply<CancelChain>, Reply<DeleteChain>, Reply<PromoteDue>,
                 Reply<ClaimFence>, Reply<CallFence>>;

// The outcome, where the reply is one of this kind and not a refusal.
template <typename Outcome>
[[nodiscard]] const Outcome* outcome_of(const AnyReply& reply) {
    const auto* known = std::get_if<std::variant<Outcome, Problem>>(&reply);
    return known != nullptr ? std::get_if<Outcome>(known) : nullptr;
}

[[nodiscard]] bool is_refused(const AnyReply& reply);

// Every field that a client could see, for comparison.
[[nodiscard]] std::string to_text(const AnyReply& reply);

}  // namespace semel::test
