#include "engine/fence_waits.hpp"

#include <algorithm>
#include <utility>

#include "base/mutation.hpp"
#include "core/fence.hpp"

namespace semel {
namespace {

// Hints of ends elsewhere come in crowds, and a look is a read for each claim that is waited for.
constexpr Millis kBetweenLooks = Millis(50);
// They may be lost, and a pooler may pass none of them on.
constexpr Millis kLookEvery = std::chrono::seconds(2);

Error no_longer_waiting() {
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
    bool is_gone = false;                        // while it is asking: nobody is told
    std::optional<SourceHolder> waits_for = {};  // absent: it is asking
    std::optional<Env::TimerId> timer = {};
};

FenceWaits::FenceWaits(Env& env, Store& store, Ledger& ledger)
    : env_(env),
      store_(store),
      ledger_(ledger),
      next_look_(env, store, [this] { look_at_all(); }) {}

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
        done(no_longer_waiting());
        return id;
    }
    auto waiter = std::make_unique<Waiter>();
    waiter->id = id;
    waiter->deadline = store_.now() + command.request.wait;
    waiter->command = std::move(command);
    waiter->done = std::move(done);
    ask(*waiters_.emplace(id, std::move(waiter)).first->second);
    return id;
}

// With no patience left it is told whatever it meets.
void FenceWaits::ask(Waiter& waiter) {
    unpark(waiter);
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
            let_go(waiter.command, *told);
        }
        answer(id, no_longer_waiting());
        return;
    }
    const bool is_patient = waiter.command.request.wait > Millis(0);
    if (told == nullptr || told->decision != Decision::in_flight || !is_patient) {
        answer(id, std::move(item));
    } else if (stopped_) {
        answer(id, no_longer_waiting());
    } else {
        SEMEL_ASSERT(told->holder.has_value());
        park(waiter, *told->holder);
    }
}

// Until the owner ends, or may be taken over, or the patience does.
void FenceWaits::park(Waiter& waiter, const SourceHolder& holder) {
    if (parked_.empty()) {
        looked_at_ = store_.now();
    }
    waiter.waits_for = holder;
    parked_[holder.claim].insert(waiter.id);
    const Time until = std::min(waiter.deadline, holder.until);
    const Millis sleep = std::max(Millis(1), Millis(until - store_.now()));
    waiter.timer = env_.after(sleep, [this, id = waiter.id] {
        Waiter& woken = *waiters_.at(id);
        woken.timer.reset();
        ask(woken);
    });
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
    if (!parked_.empty() && !stopped_) {
        next_look_.set(looked_at_ + kBetweenLooks);
    }
}

void FenceWaits::look_again() {
    if (!parked_.empty() && !stopped_) {
        next_look_.set(looked_at_ + kLookEvery);
    }
}

void FenceWaits::look_at_all() {
    looked_at_ = store_.now();
    if (SEMEL_MUTATION(fence_waiters_not_woken)) {
        return;
    }
    for (const auto& [holder, waiting] : parked_) {
        const std::string& tenant = waiters_.at(*waiting.begin())->command.tenant;
        store_.reads().get_claim(tenant, holder,
                                 [this, &env = env_, is_alive = is_alive_,
                                  id = holder](Result<std::optional<Claim>> found) {
                                     env.post([this, is_alive, id, found = std::move(found)] {
                                         if (*is_alive) {
                                             looked(id, found);
                                         }
                                     });
                                 });
    }
}

// A store that does not answer now wakes nobody: the next look, or the deadline, does.
void FenceWaits::looked(const ClaimId& holder, const Result<std::optional<Claim>>& found) {
    if (!found) {
        return;
    }
    const std::optional<Claim>& claim = *found;
    if (!claim || !is_leased(*claim, store_.now())) {
        wake(holder);
    }
}

// Nobody has the token: nothing can have been done under it.
void FenceWaits::let_go(const ClaimFence& command, const FenceAnswer& answer) {
    if (answer.decision != Decision::new_ || SEMEL_MUTATION(fence_hang_up_keeps_hold)) {
        return;
    }
    CallFence release{
        .tenant = command.tenant,
        .call = {
            .claim = answer.claim->id, .token = answer.claim->token, .verb = FenceVerb::release}};
    ledger_.submit(std::make_unique<CommandTask<CallFence>>(
        std::move(release), [](const Result<Reply<CallFence>>&) {}));
}

void FenceWaits::cancel(WaitId id) {
    const auto waiter = waiters_.find(id);
    if (waiter == waiters_.end()) {
        return;
    }
    if (waiter->second->waits_for) {
        answer(id, no_longer_waiting());
    } else {
        waiter->second->is_gone = true;
    }
}

void FenceWaits::stop() {
    stopped_ = true;
    next_look_.clear();
    while (!parked_.empty()) {
        answer(*parked_.begin()->second.begin(), no_longer_waiting());
    }
}

void FenceWaits::answer(WaitId id, Result<Item<FenceAnswer>> outcome) {
    unpark(*waiters_.at(id));
    const auto waiter = waiters_.extract(id);
    waiter.mapped()->done(std::move(outcome));
}

}  // namespace semel
