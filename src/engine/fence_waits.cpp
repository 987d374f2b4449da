#include "engine/fence_waits.hpp"

#include <algorithm>
#include <utility>

#include "core/fences/fence.hpp"
#include "engine/on_executor.hpp"

namespace semel {
namespace {

// In one read: others wait for it.
constexpr std::size_t kClaimsAtOnce = 1000;

// Store time may run faster than timers while a step of the wall clock is slewed: a lease must not
// be slept through.
constexpr Millis kSleepMax = std::chrono::seconds(10);
// Of all parked claims together. Their contents are the largest part.
constexpr std::size_t kParkedBytesMax = std::size_t{64} << 20;
constexpr std::size_t kAskBytes = 2048;  // without its content

std::size_t bytes_of(const FenceRequest& request) {
    return kAskBytes + (request.content ? request.content->size() : 0);
}

// A refused command says the same as a refused item.
Item<FenceAnswer> item_of(Reply<ClaimFence> reply) {
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return std::move(*problem);
    }
    return std::get<ClaimFence::Outcome>(std::move(reply));
}

}  // namespace

FenceWaits::FenceWaits(Env& env, Store& store, Ledger& ledger)
    : env_(env),
      store_(store),
      ledger_(ledger),
      claims_(env, store,
              {.poll =
                   [this](const Claims::Ids& ids) {
                       for (const WaitId id : ids) ask(id);
                   },
               .too_late = [this](WaitId id) { slept(id); },
               .ended = Error(ErrorCode::stopped, "the claim was ended")}),
      polls_(env, store, [this] { poll_all(); }) {}

FenceWaits::WaitId FenceWaits::claim(ClaimFence command, Callback done) {
    const Time deadline = add_clamped(store_.now(), command.request.wait);
    return claims_.wait({.command = std::move(command), .deadline = deadline}, {}, std::move(done));
}

// Without patience left, the ledger's answer is the caller's answer, whatever it is. The next owner
// is unknown until then.
void FenceWaits::ask(WaitId id) {
    Ask* ask = claims_.find(id);
    if (ask == nullptr) {
        return;
    }
    claims_.set_keys(id, {});
    ask->hints = polls_.hints();
    ask->command.request.wait = std::max(Millis(0), Millis(ask->deadline - store_.now()));
    ledger_.submit(std::make_unique<CommandTask<ClaimFence>>(
        ask->command, [this, is_alive = is_alive_, id](auto reply) {
            if (*is_alive) {
                asked(id, std::move(reply));
            }
        }));
}

void FenceWaits::asked(WaitId id, Result<Reply<ClaimFence>> reply) {
    Ask& ask = *claims_.find(id);
    if (!reply) {
        claims_.answer(id, reply.error());
        return;
    }
    Item<FenceAnswer> item = item_of(*std::move(reply));
    const auto* answer = std::get_if<FenceAnswer>(&item);
    if (claims_.is_gone(id)) {
        if (answer != nullptr) {
            undo(ask.command, *answer);
        }
        claims_.end(id);
        return;
    }
    const bool is_patient = ask.command.request.wait > Millis(0);
    if (answer == nullptr || answer->decision != Decision::in_flight || !is_patient) {
        claims_.answer(id, std::move(item));
    } else if (ask.memory == nullptr && parked_bytes_ > kParkedBytesMax) {
        ask.deadline = store_.now();
        this->ask(id);  // the answer to this one is final
    } else {
        SEMEL_ASSERT(answer->holder.has_value());
        park(id, ask, *answer->holder);
    }
}

void FenceWaits::park(WaitId id, Ask& ask, const SourceHolder& holder) {
    if (!claims_.has_keys()) {
        polls_.begin();
    }
    if (ask.hints != polls_.hints()) {
        polls_.poll_soon();  // the ledger might have answered before the end that the hint is about
    }
    if (ask.memory == nullptr) {
        ask.memory = take_memory(ask.command);
    }
    ask.holder = holder;
    claims_.set_keys(id, {{ask.command.tenant, holder.claim}});
    sleep(id, ask);
}

// Given back when the claim is answered.
std::shared_ptr<void> FenceWaits::take_memory(const ClaimFence& command) {
    const std::size_t bytes = bytes_of(command.request);
    parked_bytes_ += bytes;
    return {this, [this, bytes](void*) { parked_bytes_ -= bytes; }};
}

void FenceWaits::sleep(WaitId id, const Ask& ask) {
    claims_.park(id, std::min(ask.sleeps_until(), store_.now() + kSleepMax));
}

void FenceWaits::slept(WaitId id) {
    const Ask& ask = *claims_.find(id);
    if (store_.now() < ask.sleeps_until()) {
        sleep(id, ask);
    } else {
        claims_.poll(id);
    }
}

void FenceWaits::committed(const Changes& changes) {
    if (!claims_.has_keys()) {
        return;
    }
    for (const auto& change : changes.claims) {
        if (may_end_hold(change)) {
            claims_.wake({change.before->tenant, change.before->id});
        }
    }
}

void FenceWaits::poll_soon() {
    polls_.hint();
    if (claims_.has_keys()) {
        polls_.poll_soon();
    }
}

void FenceWaits::poll_again() {
    if (claims_.has_keys()) {
        polls_.poll_again();
    }
}

void FenceWaits::poll_all() {
    const std::vector<ClaimRef> claims = claims_.keys();
    for (auto left = claims.begin(); left != claims.end();) {
        const auto size = std::min<std::ptrdiff_t>(claims.end() - left, kClaimsAtOnce);
        poll_for({left, left + size});
        left += size;
    }
}

// If the store fails, no claim is woken: the next query or the deadline does that.
void FenceWaits::poll_for(const std::vector<ClaimRef>& claims) {
    using Holders = std::vector<std::optional<SourceHolder>>;
    store_.reads().get_holds(
        claims, on_executor<Holders>(env_, is_alive_, [this, claims](const Result<Holders>& found) {
            for (std::size_t i = 0; found && i < claims.size(); ++i) {
                polled(claims[i], found->at(i));
            }
        }));
}

// Wakes the claims whose owner has ended, even if another owner has followed.
void FenceWaits::polled(const ClaimRef& claim, const std::optional<SourceHolder>& found) {
    const bool is_held = found && store_.now() < found->until;
    claims_.wake(claim, [&](const Ask& ask) {
        return !is_held || found->token > ask.holder.token || found->until < ask.holder.until;
    });
}

// A caller that hung up owns nothing.
void FenceWaits::undo(const ClaimFence& command, const FenceAnswer& answer) {
    if (answer.decision == Decision::new_) {
        ledger_.submit(std::make_unique<CommandTask<CallFence>>(
            CallFence{command.tenant, let_go(answer)}, [](const Result<Reply<CallFence>>&) {}));
    }
}

void FenceWaits::stop() {
    polls_.stop();
    claims_.stop();
}

}  // namespace semel
