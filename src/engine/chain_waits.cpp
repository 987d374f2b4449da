#include "engine/chain_waits.hpp"

#include <algorithm>
#include <utility>

#include "engine/on_executor.hpp"

namespace semel {
namespace {

// The number of chains in one read. Other reads wait for it.
constexpr std::size_t kChainsAtOnce = 1000;

}  // namespace

ChainWaits::ChainWaits(Env& env, Store& store)
    : env_(env),
      store_(store),
      waits_(env, store,
             {.poll = [this](const Waits::Ids& ids) { poll(ids); },
              // The last poll reads the chain's state at the deadline.
              .too_late = [this](WaitId id) { waits_.poll(id); },
              .ended = Error(ErrorCode::stopped, "the wait was ended"),
              .can_leave_polls = true}),
      polls_(env, store, [this] { waits_.wake_all(); }) {}

ChainWaits::WaitId ChainWaits::wait(std::string tenant, const JobId& chain, Millis patience,
                                    Callback done) {
    if (waits_.empty()) {
        polls_.begin();
    }
    return waits_.wait(
        {.tenant = std::move(tenant), .chain = chain, .deadline = store_.now() + patience}, {chain},
        std::move(done));
}

void ChainWaits::poll(const Waits::Ids& ids) {
    for (auto left = ids.begin(); left != ids.end();) {
        const auto size = std::min<std::ptrdiff_t>(ids.end() - left, kChainsAtOnce);
        poll_for({left, left + size});
        left += size;
    }
}

void ChainWaits::poll_for(const Waits::Ids& ids) {
    std::vector<ChainRef> chains;
    chains.reserve(ids.size());
    for (const WaitId id : ids) {
        const Wait& wait = *waits_.find(id);
        chains.push_back({wait.tenant, wait.chain});
    }
    store_.reads().get_chain_statuses(
        std::move(chains),
        on_executor<Statuses>(env_, is_alive_,
                              [this, ids](const Result<Statuses>& found) { polled(ids, found); }));
}

void ChainWaits::polled(const Waits::Ids& ids, const Result<Statuses>& found) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Wait* wait = waits_.find(ids[i]);
        if (wait == nullptr) {
            continue;
        }
        if (!found) {
            waits_.answer(ids[i], found.error());
        } else if (!found->at(i)) {
            waits_.answer(ids[i], std::optional<AwaitedChain>());
        } else if (is_final(*found->at(i)) || store_.now() >= wait->deadline) {
            read(ids[i], *wait);
        } else {
            waits_.park(ids[i], wait->deadline);
        }
    }
}

void ChainWaits::read(WaitId id, const Wait& wait) {
    using View = std::optional<ChainView>;
    store_.reads().get_chain(wait.tenant, wait.chain,
                             on_executor<View>(env_, is_alive_, [this, id](Result<View> found) {
                                 was_read(id, std::move(found));
                             }));
}

void ChainWaits::was_read(WaitId id, Result<std::optional<ChainView>> found) {
    const Wait* wait = waits_.find(id);
    if (wait == nullptr) {
        return;
    }
    const bool has_ended = found && *found && is_final((*found)->last.status);
    if (!found) {
        waits_.answer(id, found.error());
    } else if (!*found) {
        waits_.answer(id, std::optional<AwaitedChain>());
    } else if (has_ended || store_.now() >= wait->deadline) {
        waits_.answer(id, std::optional(AwaitedChain{std::move(**found), has_ended}));
    } else {
        waits_.park(id, wait->deadline);  // it was reopened between the two reads
    }
}

void ChainWaits::committed(const Changes& changes) {
    if (waits_.empty()) {
        return;
    }
    for (const auto& change : changes.jobs) {
        if (may_end_chain(change)) {
            waits_.wake(change.after ? change.after->chain : change.before->chain);
        }
    }
}

void ChainWaits::poll_soon() {
    if (!waits_.empty()) {
        polls_.poll_soon();
    }
}

void ChainWaits::poll_again() {
    if (!waits_.empty()) {
        polls_.poll_again();
    }
}

void ChainWaits::stop() {
    polls_.stop();
    waits_.stop();
}

}  // namespace semel
