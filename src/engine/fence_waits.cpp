#include "engine/fence_waits.hpp"

#include <algorithm>
#include <utility>

#include "base/mutation.hpp"
#include "core/fence.hpp"

namespace semel {
namespace {

// By one read: others wait for it.
constexpr std::size_t kClaimsAtOnce = 1000;

// Store time may run faster than timers while a step of the wall clock is slewed: a lease must not
// be slept through.
constexpr Millis kSleepMax = std::chrono::seconds(10);
// What those who wait may take together, most of which is their contents.
constexpr std::size_t kParkedBytesMax = std::size_t{64} << 20;
constexpr std::size_t kWaiterBytes = 2048;  // without it

std::size_t bytes_of(const FenceRequest& request) {
    return kWaiterBytes + (request.content ? request.content->size() : 0);
}

Error fence_no_longer_waiting() {
    return {ErrorCode::stopped, "the claim was ended"};
}

// A refused command says the same as a refused item.
Item<FenceAnswer> item_of(Reply<ClaimFence> reply) {
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return std::move(*problem);
    }
    return std::get<ClaimFence::Outcome>(std::move(reply));
}

}  // namespace

struct FenceWaits::Waiter {
    WaitId id = 0;
    ClaimFence command;
    Callback done;
    Time deadline;
    std::uint64_t hints = 0;                     // that had come when it asked
    bool is_gone = false;                        // while it is asking: nobody is told
    std::optional<SourceHolder> waits_for = {};  // absent: it is asking
    std::optional<Env::TimerId> timer = {};

    // REQUIRES: it waits.
    [[nodiscard]] Time sleeps_until() const { return std::min(deadline, waits_for->until); }
};

FenceWaits::FenceWaits(Env& env, Store& store, Ledger& ledger)
    : env_(env), store_(store), ledger_(ledger), looks_(env, store, [this] { look_at_all(); }) {}

FenceWaits::~FenceWaits() {
    *is_alive_ = false;
    for (const auto& [id, waiter] : waiters_) {
        if (waiter->timer) {
            env_.cancel(*waiter->timer);
        }
    }
}

FenceWaits::WaitId FenceWaits::claim(ClaimFence command, Callback done) {
    const WaitId id = ++last_id_;
    if (stopped_) {
        done(fence_no_longer_waiting());
        return id;
    }
    auto waiter = std::make_unique<Waiter>();
    waiter->id = id;
    waiter->deadline = add_clamped(store_.now(), command.request.wait);
    waiter->command = std::move(command);
    waiter->done = std::move(done);
    ask(*waiters_.emplace(id, std::move(waiter)).first->second);
    return id;
}

// With no patience left it is told whatever it meets.
void FenceWaits::ask(Waiter& waiter) {
    unpark(waiter);
    waiter.hints = looks_.hints();
    waiter.command.request.wait = std::max(Millis(0), Millis(waiter.deadline - store_.now()));
    ledger_.submit(std::make_unique<CommandTask<ClaimFence>>(
        waiter.command, [this, is_alive = is_alive_, id = waiter.id](auto reply) {
            if (*is_alive) {
                asked(id, std::move(reply));
            }
        }));
}

void FenceWaits::asked(WaitId id, Result<Reply<ClaimFence>> reply) {
    Waiter& waiter = *waiters_.at(id);
    if (!reply) {
        answer(id, reply.error());
        return;
    }
    Item<FenceAnswer> item = item_of(*std::move(reply));
    const auto* told = std::get_if<FenceAnswer>(&item);
    if (waiter.is_gone) {
        if (told != nullptr) {
            undo(waiter.command, *told);
        }
        answer(id, fence_no_longer_waiting());
        return;
    }
    const bool is_patient = waiter.command.request.wait > Millis(0);
    if (told == nullptr || told->decision != Decision::in_flight || !is_patient) {
        answer(id, std::move(item));
    } else if (stopped_) {
        answer(id, fence_no_longer_waiting());
    } else if (parked_bytes_ > kParkedBytesMax) {
        waiter.deadline = store_.now();
        ask(waiter);  // and is told
    } else {
        SEMEL_ASSERT(told->holder.has_value());
        park(waiter, *told->holder);
    }
}

// Until the owner ends, or may be taken over, or the patience does.
void FenceWaits::park(Waiter& waiter, const SourceHolder& holder) {
    if (parked_.empty()) {
        looks_.begin();
    }
    waiter.waits_for = holder;
    parked_[holder.claim].insert(waiter.id);
    parked_bytes_ += bytes_of(waiter.command.request);
    if (waiter.hints != looks_.hints()) {
        looks_.look_soon();  // what it was told may have been so before that hint
    }
    sleep(waiter);
}

void FenceWaits::sleep(Waiter& waiter) {
    const Millis left = waiter.sleeps_until() - store_.now();
    waiter.timer = env_.after(std::clamp<Millis>(left, Millis(1), kSleepMax),
                              [this, id = waiter.id] { slept(id); });
}

void FenceWaits::slept(WaitId id) {
    Waiter& waiter = *waiters_.at(id);
    waiter.timer.reset();
    if (store_.now() < waiter.sleeps_until()) {
        sleep(waiter);
    } else {
        ask(waiter);
    }
}

void FenceWaits::unpark(Waiter& waiter) {
    if (waiter.timer) {
        env_.cancel(*waiter.timer);
        waiter.timer.reset();
    }
    if (!waiter.waits_for) {
        return;
    }
    const auto waiting = parked_.find(waiter.waits_for->claim);
    waiting->second.erase(waiter.id);
    parked_bytes_ -= bytes_of(waiter.command.request);
    if (waiting->second.empty()) {
        parked_.erase(waiting);
    }
    waiter.waits_for.reset();
}

void FenceWaits::wake(const ClaimId& holder) {
    const auto waiting = parked_.find(holder);
    if (waiting == parked_.end()) {
        return;
    }
    const std::set<WaitId> ids = waiting->second;  // who asks is no longer in it
    for (const WaitId id : ids) {
        const auto waiter = waiters_.find(id);
        if (waiter != waiters_.end()) {
            ask(*waiter->second);
        }
    }
}

void FenceWaits::committed(const Changes& changes) {
    if (parked_.empty() || SEMEL_MUTATION(fence_waiters_not_woken)) {
        return;
    }
    for (const auto& change : changes.claims) {
        if (may_end_hold(change)) {
            wake(change.before->id);
        }
    }
}

void FenceWaits::look_soon() {
    looks_.hint();
    if (!parked_.empty()) {
        looks_.look_soon();
    }
}

void FenceWaits::look_again() {
    if (!parked_.empty()) {
        looks_.look_again();
    }
}

void FenceWaits::look_at_all() {
    if (SEMEL_MUTATION(fence_waiters_not_woken)) {
        return;
    }
    std::vector<ClaimRef> claims;
    for (const auto& [holder, waiting] : parked_) {
        claims.push_back({waiters_.at(*waiting.begin())->command.tenant, holder});
        if (claims.size() == kClaimsAtOnce) {
            look_at(std::exchange(claims, {}));
        }
    }
    if (!claims.empty()) {
        look_at(claims);
    }
}

// A store that does not answer now wakes nobody: the next look, or the deadline, does.
void FenceWaits::look_at(const std::vector<ClaimRef>& claims) {
    store_.reads().get_holds(claims, [this, &env = env_, is_alive = is_alive_, claims](
                                         Result<std::vector<std::optional<SourceHolder>>> found) {
        env.post([this, is_alive, claims, found = std::move(found)] {
            for (std::size_t i = 0; found && *is_alive && i < claims.size(); ++i) {
                looked(claims[i].id, found->at(i));
            }
        });
    });
}

// Those who do not wait for this hold but for one that has ended ask again.
void FenceWaits::looked(const ClaimId& claim, const std::optional<SourceHolder>& found) {
    const auto waiting = parked_.find(claim);
    if (waiting == parked_.end()) {
        return;
    }
    const bool is_held = found && store_.now() < found->until;
    const std::set<WaitId> ids = waiting->second;  // who asks is no longer in it
    for (const WaitId id : ids) {
        const auto at = waiters_.find(id);
        if (at == waiters_.end() || !at->second->waits_for) {
            continue;
        }
        const SourceHolder& awaited = *at->second->waits_for;
        if (!is_held || found->token > awaited.token || found->until < awaited.until) {
            ask(*at->second);
        }
    }
}

// Whoever hung up owns nothing.
void FenceWaits::undo(const ClaimFence& command, const FenceAnswer& answer) {
    if (answer.decision == Decision::new_ && !SEMEL_MUTATION(fence_hang_up_keeps_hold)) {
        ledger_.submit(std::make_unique<CommandTask<CallFence>>(
            CallFence{command.tenant, let_go(answer)}, [](const Result<Reply<CallFence>>&) {}));
    }
}

void FenceWaits::cancel(WaitId id) {
    const auto waiter = waiters_.find(id);
    if (waiter == waiters_.end()) {
        return;
    }
    if (waiter->second->waits_for) {
        answer(id, fence_no_longer_waiting());
    } else {
        waiter->second->is_gone = true;
    }
}

void FenceWaits::stop() {
    stopped_ = true;
    looks_.stop();
    while (!parked_.empty()) {
        answer(*parked_.begin()->second.begin(), fence_no_longer_waiting());
    }
}

void FenceWaits::answer(WaitId id, Result<Item<FenceAnswer>> outcome) {
    unpark(*waiters_.at(id));
    const auto waiter = waiters_.extract(id);
    waiter.mapped()->done(std::move(outcome));
}

}  // namespace semel
