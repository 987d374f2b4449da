#include "engine/fence_holds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace semel {
namespace {

// So that two heartbeats may be lost or late.
constexpr int kBeatsPerLease = 3;

// A last call must not be lost by a moment of trouble, nor by a change of the database's server: it
// can be repeated, because its token says what is meant. Its caller waits that long.
constexpr Millis kInsistFor = std::chrono::seconds(30);
constexpr Millis kHeartbeatPause = Millis(100);  // then twice as long each time
constexpr Millis kPauseMax = std::chrono::seconds(2);

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

void FenceHolds::submit(const Hold& hold, FenceCall call, Ended done) {
    call.claim = hold.fence.claim;
    call.token = hold.fence.token;
    ledger_.submit(std::make_unique<CommandTask<CallFence>>(
        CallFence{hold.fence.tenant, std::move(call)},
        [is_alive = is_alive_, done = std::move(done)](Result<Reply<CallFence>> reply) {
            if (*is_alive) {
                done(std::move(reply));
            }
        }));
}

// ---- while the effect runs ----------------------------------------------------------------------

// A store that is slow is not asked for the same again.
void FenceHolds::beat(HoldId id) {
    Hold& hold = holds_.at(id);
    set_timer(id, hold);
    if (!std::exchange(hold.is_beating, true)) {
        submit(hold, {.verb = FenceVerb::heartbeat},
               [this, id](const Result<Reply<CallFence>>& reply) { beaten(id, reply); });
    }
}

// A store that failed is asked again with the next beat. Past the last call it says nothing: the
// hold may have ended by that.
void FenceHolds::beaten(HoldId id, const Result<Reply<CallFence>>& reply) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.last) {
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
    at->second.last = LastCall{.call = std::move(call),
                               .done = std::move(done),
                               .give_up_at = env_.monotonic() + kInsistFor,
                               .pause = kHeartbeatPause};
    send(id);
}

void FenceHolds::send(HoldId id) {
    Hold& hold = holds_.at(id);
    hold.timer.reset();
    hold.last->failure.reset();
    submit(hold, hold.last->call,
           [this, id](Result<Reply<CallFence>> reply) { answered(id, std::move(reply)); });
}

void FenceHolds::answered(HoldId id, Result<Reply<CallFence>> reply) {
    Hold& hold = holds_.at(id);
    const bool is_final = reply || reply.error().code() == ErrorCode::stopped;
    if (is_final || grace_is_over_ || env_.monotonic() >= hold.last->give_up_at) {
        finish(id, std::move(reply));
        return;
    }
    hold.last->failure = reply.error();
    hold.timer = env_.after(hold.last->pause, [this, id] { send(id); });
    hold.last->pause = std::min(hold.last->pause * 2, kPauseMax);
}

void FenceHolds::finish(HoldId id, Result<Reply<CallFence>> reply) {
    auto hold = holds_.extract(id);
    clear_timer(hold.mapped());
    hold.mapped().last->done(std::move(reply));
    check_stopped();
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

// A try that is on its way is waited for: the ledger answers it.
void FenceHolds::end_grace() {
    grace_is_over_ = true;
    std::vector<HoldId> ids;
    ids.reserve(holds_.size());
    for (const auto& [id, hold] : holds_) ids.push_back(id);
    for (const HoldId id : ids) {
        Hold& hold = holds_.at(id);
        if (!hold.last) {
            auto left = holds_.extract(id);
            clear_timer(left.mapped());
            if (left.mapped().lost) {
                left.mapped().lost();
            }
        } else if (hold.last->failure) {
            finish(id, *hold.last->failure);
        }
    }
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
