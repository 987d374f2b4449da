#include "engine/fence_holds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace semel {
namespace {

// So two heartbeats can be lost or late.
constexpr int kBeatsPerLease = 3;

Error no_longer_held() {
    return {ErrorCode::stopped, "the engine stopped while the effect ran"};
}

}  // namespace

FenceHolds::~FenceHolds() {
    *is_alive_ = false;
    for (auto& [id, hold] : holds_) {
        clear_timer(hold);
    }
    if (grace_timer_) {
        env_.cancel(*grace_timer_);
    }
}

std::optional<FenceHolds::HoldId> FenceHolds::hold(HeldFence fence, Lost lost) {
    if (stopping_) {
        return std::nullopt;
    }
    const HoldId id = ++last_id_;
    set_timer(id, holds_.emplace(id, Hold{std::move(fence), std::move(lost)}).first->second);
    return id;
}

void FenceHolds::set_timer(HoldId id, Hold& hold) {
    hold.timer = env_.after(hold.fence.lease / kBeatsPerLease, [this, id] { beat(id); });
}

void FenceHolds::clear_timer(Hold& hold) {
    if (hold.timer) {
        env_.cancel(*std::exchange(hold.timer, std::nullopt));
    }
}

CallFence FenceHolds::command_of(const Hold& hold, FenceCall call) {
    call.claim = hold.fence.claim;
    call.token = hold.fence.token;
    return {hold.fence.tenant, std::move(call)};
}

// ---- while the effect runs ----------------------------------------------------------------------

// Sends no second heartbeat before the first is answered.
void FenceHolds::beat(HoldId id) {
    Hold& hold = holds_.at(id);
    set_timer(id, hold);
    if (std::exchange(hold.is_beating, true)) {
        return;
    }
    ledger_.submit(std::make_unique<CommandTask<CallFence>>(
        command_of(hold, {.verb = FenceVerb::heartbeat}),
        [this, is_alive = is_alive_, id](const Result<Reply<CallFence>>& reply) {
            if (*is_alive) {
                beaten(id, reply);
            }
        }));
}

// After an error the next heartbeat tries again. An answer after the last call is ignored, because
// that call may have ended the hold.
void FenceHolds::beaten(HoldId id, const Result<Reply<CallFence>>& reply) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.is_ending) {
        return;
    }
    at->second.is_beating = false;
    if (reply && std::holds_alternative<Problem>(*reply)) {
        clear_timer(at->second);
        std::exchange(at->second.lost, nullptr)();
    }
}

// ---- its end ------------------------------------------------------------------------------------

void FenceHolds::end(HoldId id, FenceCall call, Ended done) {
    const auto at = holds_.find(id);
    if (at == holds_.end()) {
        done(no_longer_held());
        return;
    }
    clear_timer(at->second);
    at->second.is_ending = true;
    last_calls_.submit(command_of(at->second, std::move(call)), kInsistFor,
                       [this, id, done = std::move(done)](Result<Reply<CallFence>> reply) {
                           holds_.erase(id);
                           done(std::move(reply));
                           check_stopped();
                       });
}

// ---- stopping -----------------------------------------------------------------------------------

void FenceHolds::stop(Millis grace, std::function<void()> done) {
    stopping_ = true;
    stopped_ = std::move(done);
    grace_timer_ = env_.after(grace, [this] {
        grace_timer_.reset();
        end_grace();
    });
    check_stopped();
}

// Does not interrupt a running try: the ledger answers it.
void FenceHolds::end_grace() {
    std::vector<HoldId> ids;
    ids.reserve(holds_.size());
    for (const auto& [id, hold] : holds_) ids.push_back(id);
    for (const HoldId id : ids) {
        if (!holds_.at(id).is_ending) {
            auto left = holds_.extract(id);
            clear_timer(left.mapped());
            if (left.mapped().lost) {
                left.mapped().lost();
            }
        }
    }
    last_calls_.hurry();
    check_stopped();
}

void FenceHolds::check_stopped() {
    if (!stopping_ || !holds_.empty() || !stopped_) {
        return;
    }
    if (grace_timer_) {
        env_.cancel(*std::exchange(grace_timer_, std::nullopt));
    }
    std::exchange(stopped_, nullptr)();
}

}  // namespace semel
