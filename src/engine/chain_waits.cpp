#include "engine/chain_waits.hpp"

#include <utility>
#include <vector>

namespace semel {
namespace {

// By one read: others wait for it.
constexpr std::size_t kChainsAtOnce = 1000;

Error chain_no_longer_waiting() {
    return {ErrorCode::stopped, "the wait was ended"};
}

}  // namespace

struct ChainWaits::Waiter {
    WaitId id = 0;
    std::string tenant;
    JobId chain;
    Callback done;
    Time deadline;
    bool is_looking = false;
    bool look_again = false;  // the chain may have ended while it was looking
    std::optional<Env::TimerId> timer = {};
};

ChainWaits::ChainWaits(Env& env, Store& store)
    : env_(env), store_(store), looks_(env, store, [this] { look_at_all(); }) {}

ChainWaits::~ChainWaits() {
    *is_alive_ = false;
    for (const auto& [id, waiter] : waiters_) {
        if (waiter->timer) {
            env_.cancel(*waiter->timer);
        }
    }
}

ChainWaits::WaitId ChainWaits::wait(std::string tenant, const JobId& chain, Millis patience,
                                    Callback done) {
    const WaitId id = ++last_id_;
    if (stopped_) {
        done(chain_no_longer_waiting());
        return id;
    }
    auto waiter = std::make_unique<Waiter>();
    waiter->id = id;
    waiter->tenant = std::move(tenant);
    waiter->chain = chain;
    waiter->done = std::move(done);
    waiter->deadline = store_.now() + patience;
    if (waiters_.empty()) {
        looks_.begin();
    }
    chains_[chain].insert(id);
    look({waiters_.emplace(id, std::move(waiter)).first->second.get()});
    return id;
}

void ChainWaits::look(const std::vector<Waiter*>& waiters) {
    std::vector<ChainRef> chains;
    std::vector<WaitId> ids;
    for (Waiter* waiter : waiters) {
        waiter->is_looking = true;
        waiter->look_again = false;
        chains.push_back({waiter->tenant, waiter->chain});
        ids.push_back(waiter->id);
    }
    store_.reads().get_chain_statuses(
        std::move(chains), [this, &env = env_, is_alive = is_alive_, ids = std::move(ids)](
                               const Result<std::vector<std::optional<Status>>>& found) {
            env.post([this, is_alive, ids, found] {
                for (std::size_t i = 0; i < ids.size() && *is_alive; ++i) {
                    looked(ids[i], found ? Result<std::optional<Status>>(found->at(i))
                                         : Result<std::optional<Status>>(found.error()));
                }
            });
        });
}

void ChainWaits::looked(WaitId id, const Result<std::optional<Status>>& found) {
    Waiter* waiter = back_from_look(id);
    if (waiter == nullptr) {
        return;
    }
    if (!found) {
        answer(id, found.error());
    } else if (!*found) {
        answer(id, std::optional<AwaitedChain>());
    } else if (is_final(**found) || store_.now() >= waiter->deadline) {
        read(*waiter);
    } else {
        go_on(*waiter);
    }
}

void ChainWaits::read(Waiter& waiter) {
    waiter.is_looking = true;
    store_.reads().get_chain(waiter.tenant, waiter.chain,
                             [this, &env = env_, is_alive = is_alive_,
                              id = waiter.id](Result<std::optional<ChainView>> found) {
                                 env.post([this, is_alive, id, found = std::move(found)]() mutable {
                                     if (*is_alive) {
                                         was_read(id, std::move(found));
                                     }
                                 });
                             });
}

void ChainWaits::was_read(WaitId id, Result<std::optional<ChainView>> found) {
    Waiter* waiter = back_from_look(id);
    if (waiter == nullptr) {
        return;
    }
    if (!found) {
        answer(id, found.error());
        return;
    }
    if (!*found) {
        answer(id, std::optional<AwaitedChain>());
        return;
    }
    const bool has_ended = is_final((*found)->last.status);
    if (has_ended || store_.now() >= waiter->deadline) {
        answer(id, std::optional(AwaitedChain{std::move(**found), has_ended}));
    } else {
        go_on(*waiter);  // somebody has opened it again
    }
}

ChainWaits::Waiter* ChainWaits::back_from_look(WaitId id) {
    const auto at = waiters_.find(id);
    if (at == waiters_.end()) {
        return nullptr;
    }
    at->second->is_looking = false;
    return at->second.get();
}

void ChainWaits::go_on(Waiter& waiter) {
    if (waiter.look_again) {
        look({&waiter});
    } else {
        park(waiter);
    }
}

// At the deadline it looks once more: what it is told then is how things are.
void ChainWaits::park(Waiter& waiter) {
    if (waiter.timer) {
        return;
    }
    waiter.timer = env_.after(waiter.deadline - store_.now(), [this, id = waiter.id] {
        Waiter& late = *waiters_.at(id);
        late.timer.reset();
        // One that is looking is answered, or parked again, when that is over.
        if (!late.is_looking) {
            look({&late});
        }
    });
}

void ChainWaits::wake(const JobId& chain) {
    const auto waiting = chains_.find(chain);
    if (waiting == chains_.end()) {
        return;
    }
    std::vector<Waiter*> waiters;
    for (const WaitId id : waiting->second) waiters.push_back(waiters_.at(id).get());
    wake(waiters);
}

void ChainWaits::wake(const std::vector<Waiter*>& waiters) {
    std::vector<Waiter*> idle;
    for (Waiter* waiter : waiters) {
        if (waiter->is_looking) {
            waiter->look_again = true;
        } else {
            idle.push_back(waiter);
        }
        if (idle.size() == kChainsAtOnce) {
            look(std::exchange(idle, {}));
        }
    }
    if (!idle.empty()) {
        look(idle);
    }
}

void ChainWaits::committed(const Changes& changes) {
    if (chains_.empty()) {
        return;
    }
    for (const auto& change : changes.jobs) {
        if (may_end_chain(change)) {
            wake(change.after ? change.after->chain : change.before->chain);
        }
    }
}

void ChainWaits::look_again() {
    if (!waiters_.empty()) {
        looks_.look_again();
    }
}

void ChainWaits::look_soon() {
    if (!waiters_.empty()) {
        looks_.look_soon();
    }
}

void ChainWaits::look_at_all() {
    std::vector<Waiter*> all;
    all.reserve(waiters_.size());
    for (const auto& [id, waiter] : waiters_) all.push_back(waiter.get());
    wake(all);
}

void ChainWaits::cancel(WaitId id) {
    if (waiters_.contains(id)) {
        answer(id, chain_no_longer_waiting());
    }
}

void ChainWaits::stop() {
    stopped_ = true;
    looks_.stop();
    while (!waiters_.empty()) {
        answer(waiters_.begin()->first, chain_no_longer_waiting());
    }
}

void ChainWaits::answer(WaitId id, Result<std::optional<AwaitedChain>> outcome) {
    const auto waiter = waiters_.extract(id);
    SEMEL_ASSERT(!waiter.empty());
    if (waiter.mapped()->timer) {
        env_.cancel(*waiter.mapped()->timer);
    }
    const auto waiting = chains_.find(waiter.mapped()->chain);
    waiting->second.erase(id);
    if (waiting->second.empty()) {
        chains_.erase(waiting);
    }
    waiter.mapped()->done(std::move(outcome));
}

}  // namespace semel
