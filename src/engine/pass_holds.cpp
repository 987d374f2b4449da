#include "engine/pass_holds.hpp"

#include <algorithm>
#include <utility>

namespace semel {
namespace {

// So two heartbeats can be lost or late.
constexpr Millis kBeatEvery = kPassLease / 3;
// A heartbeat also renews leases that are due within this time. A shorter pass needs no heartbeat.
constexpr Millis kBeatEarly = kBeatEvery / 2;
constexpr std::size_t kBeatsAtOnce = 500;  // claims

Error has_ended() {
    return {ErrorCode::stopped, "the engine stopped while the request was on its way"};
}

}  // namespace

PassHolds::PassHolds(Env& env, Ledger& ledger)
    : env_(env), ledger_(ledger), dispatches_(env, ledger), settles_(env, ledger) {}

PassHolds::~PassHolds() {
    *is_alive_ = false;
    if (timer_) {
        env_.cancel(*timer_);
    }
    if (grace_timer_) {
        env_.cancel(*grace_timer_);
    }
    for (const auto& [id, hold] : holds_) {
        if (hold.patience) env_.cancel(*hold.patience);
    }
}

PassHolds::Hold PassHolds::hold_of(const PassAnswer& admitted) const {
    Hold hold;
    for (const auto& [claim, ref] :
         {std::pair(admitted.key.get(), &hold.key), std::pair(admitted.guard.get(), &hold.guard)}) {
        if (claim == nullptr) {
            continue;
        }
        *ref = PassRef{claim->id, claim->token};
        hold.beaten.push_back(**ref);
        hold.tenant = claim->tenant;
        const Pass& pass = *claim->effect->pass;
        hold.is_sent = pass.dispatched_at.has_value();
        hold.is_retry = pass.attempt > 1;
    }
    hold.renewed_at = env_.monotonic();
    return hold;
}

std::optional<PassHolds::HoldId> PassHolds::hold(const PassAnswer& admitted, Lost lost) {
    if (stopping_) {
        let_go(admitted, [] {});
        return std::nullopt;
    }
    const HoldId id = ++last_id_;
    holds_.emplace(id, hold_of(admitted)).first->second.lost = std::move(lost);
    if (!timer_) {
        set_timer();
    }
    return id;
}

void PassHolds::let_go(const PassAnswer& admitted, std::function<void()> done) {
    const Hold hold = hold_of(admitted);
    settles_.submit(settlement(hold, unsent(hold)), kInsistFor,
                    [this, done = std::move(done)](const Result<Reply<SettlePass>>&) {
                        done();
                        check_stopped();
                    });
}

SettlePass PassHolds::settlement(const Hold& hold, PassEnding ending) {
    SettlePass command{.tenant = hold.tenant,
                       .answer = std::move(ending.answer),
                       .body = std::move(ending.body),
                       .reason = std::move(ending.reason)};
    if (hold.key && ending.key) {
        command.key = PassCall{hold.key->claim, hold.key->token, *ending.key};
    }
    if (hold.guard && ending.guard) {
        command.guard = PassCall{hold.guard->claim, hold.guard->token, *ending.guard};
    }
    return command;
}

// Returns how to end a pass of which this attempt has sent nothing.
PassEnding PassHolds::unsent(const Hold& hold) {
    const PassEnd end = hold.is_retry ? PassEnd::doubt : PassEnd::release;
    return {.key = end, .guard = end, .reason = "stopped"};
}

// ---- until the answer ---------------------------------------------------------------------------

void PassHolds::dispatch(HoldId id, Dispatch done) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.is_ending) {
        done(has_ended());
        return;
    }
    Hold& hold = at->second;
    hold.is_dispatching = true;
    DispatchPass command;
    command.tenant = hold.tenant;
    if (hold.key) command.claims.push_back(*hold.key);
    if (hold.guard) command.claims.push_back(*hold.guard);
    dispatches_.submit(std::move(command), kStoreWait,
                       [this, id, asked_at = env_.monotonic(),
                        done = std::move(done)](Result<Reply<DispatchPass>> reply) {
                           dispatched(id, asked_at, std::move(reply), done);
                       });
}

// A node that stops releases the pass instead of sending it.
void PassHolds::dispatched(HoldId id, std::chrono::nanoseconds asked_at,
                           Result<Reply<DispatchPass>> reply, const Dispatch& done) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.is_ending) {
        done(has_ended());
        return;
    }
    Hold& hold = at->second;
    hold.is_dispatching = false;
    if (stopping_) {
        end_by_stop(id);
        done(has_ended());
        return;
    }
    if (reply && std::holds_alternative<Dispatched>(*reply)) {
        hold.is_sent = true;
        hold.renewed_at = std::max(hold.renewed_at, asked_at);
    }
    done(std::move(reply));
}

// Sets the timer to the heartbeat of the pass that was renewed longest ago.
void PassHolds::set_timer() {
    std::optional<std::chrono::nanoseconds> due;
    for (const auto& [id, hold] : holds_) {
        const auto at = hold.renewed_at + kBeatEvery;
        if (!hold.is_ending && !hold.beaten.empty() && (!due || at < *due)) {
            due = at;
        }
    }
    if (due) {
        const auto left = std::max(*due - env_.monotonic(), std::chrono::nanoseconds(0));
        timer_ = env_.after(std::chrono::ceil<Millis>(left), [this] {
            timer_.reset();
            beat();
            set_timer();
        });
    }
}

// A store that is slow is not asked for the same again, and one that failed with the next beat.
void PassHolds::beat() {
    const auto now = env_.monotonic();
    std::vector<Beat> beats;
    for (auto& [id, hold] : holds_) {
        if (hold.is_ending || hold.beaten.empty() || now < hold.renewed_at + kBeatEarly) {
            continue;
        }
        hold.renewed_at = now;
        if (std::exchange(hold.is_beating, true)) {
            continue;
        }
        if (beats.size() + hold.beaten.size() > kBeatsAtOnce) {
            send_beats(std::exchange(beats, {}));
        }
        for (const PassRef& claim : hold.beaten) beats.push_back({id, claim});
    }
    send_beats(std::move(beats));
}

void PassHolds::send_beats(std::vector<Beat> beats) {
    if (beats.empty()) {
        return;
    }
    BeatPasses command;
    command.claims.reserve(beats.size());
    for (const Beat& beat : beats) command.claims.push_back(beat.claim);
    ledger_.submit(std::make_unique<CommandTask<BeatPasses>>(
        std::move(command), [this, is_alive = is_alive_,
                             beats = std::move(beats)](const Result<Reply<BeatPasses>>& reply) {
            if (*is_alive) {
                beaten(beats, reply);
            }
        }));
}

void PassHolds::beaten(const std::vector<Beat>& beats, const Result<Reply<BeatPasses>>& reply) {
    for (const Beat& beat : beats) {
        if (const auto at = holds_.find(beat.hold); at != holds_.end()) {
            at->second.is_beating = false;
        }
    }
    const auto* items = reply ? std::get_if<BeatPasses::Outcome>(&*reply) : nullptr;
    for (std::size_t i = 0; items != nullptr && i < beats.size(); ++i) {
        const auto* problem = std::get_if<Problem>(&items->at(i));
        if (problem != nullptr && problem->code == ProblemCode::stale_token) {
            lose(beats[i].hold, beats[i].claim);
        }
    }
}

// A heartbeat that is answered after the last call is ignored: that call may have ended the pass.
void PassHolds::lose(HoldId id, const PassRef& claim) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.is_ending) {
        return;
    }
    Hold& hold = at->second;
    std::erase_if(hold.beaten, [&](const PassRef& one) { return one.claim == claim.claim; });
    if (const Lost lost = std::exchange(hold.lost, nullptr)) {
        lost(PassLoss::taken);
    }
}

// ---- its end ------------------------------------------------------------------------------------

void PassHolds::settle(HoldId id, PassEnding ending, Settled done) {
    const auto at = holds_.find(id);
    if (at == holds_.end() || at->second.is_ending) {
        done(has_ended());
        return;
    }
    end(id, std::move(ending), std::move(done));
}

void PassHolds::end(HoldId id, PassEnding ending, Settled done) {
    Hold& hold = holds_.at(id);
    hold.is_ending = true;
    hold.lost = nullptr;  // it keeps the request in memory
    hold.settled = std::move(done);
    hold.patience = env_.after(kSettleWait, [this, id] {
        holds_.at(id).patience.reset();
        answer_end(id, Error(ErrorCode::timeout, "the store has not confirmed the end in time"));
    });
    settles_.submit(settlement(hold, std::move(ending)), kInsistFor,
                    [this, id](Result<Reply<SettlePass>> reply) {
                        answer_end(id, std::move(reply));
                        holds_.erase(id);
                        check_stopped();
                    });
}

void PassHolds::answer_end(HoldId id, Result<Reply<SettlePass>> reply) {
    Hold& hold = holds_.at(id);
    if (hold.patience) {
        env_.cancel(*std::exchange(hold.patience, std::nullopt));
    }
    if (const Settled settled = std::exchange(hold.settled, nullptr)) {
        settled(std::move(reply));
    }
}

// ---- stopping -----------------------------------------------------------------------------------

std::vector<PassHolds::HoldId> PassHolds::ids() const {
    std::vector<HoldId> ids;
    ids.reserve(holds_.size());
    for (const auto& [id, hold] : holds_) ids.push_back(id);
    return ids;
}

void PassHolds::stop(Millis grace, std::function<void()> done) {
    stopping_ = true;
    stopped_ = std::move(done);
    grace_timer_ = env_.after(grace, [this] {
        grace_timer_.reset();
        end_grace();
    });
    for (const HoldId id : ids()) {
        const auto at = holds_.find(id);
        if (at != holds_.end() && !at->second.is_sent && !at->second.is_dispatching &&
            !at->second.is_ending) {
            end_by_stop(id);
        }
    }
    check_stopped();
}

void PassHolds::end_by_stop(HoldId id) {
    Hold& hold = holds_.at(id);
    const Lost lost = std::exchange(hold.lost, nullptr);
    PassEnding ending = unsent(hold);
    if (hold.is_sent) {
        ending.key = ending.guard = PassEnd::doubt;
    }
    end(id, std::move(ending), [](const Result<Reply<SettlePass>>&) {});
    if (lost) {
        lost(PassLoss::stopped);
    }
}

// Does not interrupt a running try: the ledger answers it.
void PassHolds::end_grace() {
    dispatches_.hurry();
    for (const HoldId id : ids()) {
        const auto at = holds_.find(id);
        if (at != holds_.end() && !at->second.is_ending && !at->second.is_dispatching) {
            end_by_stop(id);
        }
    }
    settles_.hurry();
    check_stopped();
}

void PassHolds::check_stopped() {
    if (!stopping_ || !holds_.empty() || !settles_.empty() || !stopped_) {
        return;
    }
    if (grace_timer_) {
        env_.cancel(*std::exchange(grace_timer_, std::nullopt));
    }
    std::exchange(stopped_, nullptr)();
}

}  // namespace semel
