#include "engine/fence_holds.hpp"

#include <utility>

namespace semel {
namespace {

// So that two heartbeats may be lost or late.
constexpr int kBeatsPerLease = 3;

}  // namespace

FenceHolds::~FenceHolds() {
    *is_alive_ = false;
    stop();
}

FenceHolds::HoldId FenceHolds::hold(HeldFence fence, Lost lost) {
    const HoldId id = ++last_id_;
    set_timer(id, holds_.emplace(id, Hold{std::move(fence), std::move(lost)}).first->second);
    return id;
}

void FenceHolds::end(HoldId id) {
    const auto hold = holds_.extract(id);
    if (!hold.empty()) {
        env_.cancel(hold.mapped().timer);
    }
}

void FenceHolds::stop() {
    while (!holds_.empty()) {
        end(holds_.begin()->first);
    }
}

void FenceHolds::set_timer(HoldId id, Hold& hold) {
    hold.timer = env_.after(hold.fence.lease / kBeatsPerLease, [this, id] { beat(id); });
}

void FenceHolds::beat(HoldId id) {
    Hold& hold = holds_.at(id);
    CallFence heartbeat{
        .tenant = hold.fence.tenant,
        .call = {
            .claim = hold.fence.claim, .token = hold.fence.token, .verb = FenceVerb::heartbeat}};
    ledger_.submit(std::make_unique<CommandTask<CallFence>>(
        std::move(heartbeat),
        [this, is_alive = is_alive_, id](const Result<Reply<CallFence>>& reply) {
            if (*is_alive) {
                beaten(id, reply);
            }
        }));
    set_timer(id, hold);
}

// A store that failed is asked again with the next beat.
void FenceHolds::beaten(HoldId id, const Result<Reply<CallFence>>& reply) {
    if (!reply || std::holds_alternative<Claim>(*reply) || !holds_.contains(id)) {
        return;
    }
    const Lost lost = std::move(holds_.at(id).lost);
    end(id);
    lost();
}

}  // namespace semel
