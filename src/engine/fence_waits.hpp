// FenceWaits: claims of fences, and those among them that wait for an owner who is at work. Each is
// woken by the commit in which the owner ends, by the end of the lease, or, where the commit may
// have been another node's, by a look at the store; nobody polls.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/hinted_looks.hpp"
#include "engine/ledger.hpp"

namespace semel {

class FenceWaits {
public:
    // `stopped`: it was cancelled, or the node stops; nobody owns anything by it.
    using Callback = std::function<void(Result<Item<FenceAnswer>>)>;
    using WaitId = std::uint64_t;

    FenceWaits(Env& env, Store& store, Ledger& ledger);
    ~FenceWaits();
    FenceWaits(const FenceWaits&) = delete;
    FenceWaits& operator=(const FenceWaits&) = delete;

    // Waits as long as the request says, and is told `in_flight` after that; at once where those
    // who wait take too much memory already.
    WaitId claim(ClaimFence command, Callback done);
    // Whoever asked is gone, or may not ask any more: what it would have owned is let go.
    void cancel(WaitId id);

    void committed(const Changes& changes);
    // Another node may have ended somebody's hold; or may have, and the hint was lost.
    void look_soon();
    void look_again();

    void stop();

private:
    struct Waiter;

    void ask(Waiter& waiter);
    void asked(WaitId id, Result<Reply<ClaimFence>> reply);
    void park(Waiter& waiter, const SourceHolder& holder);
    void sleep(Waiter& waiter);
    void slept(WaitId id);
    // Out of what it waits for; it is asking, or answered, from then on.
    void unpark(Waiter& waiter);
    void wake(const ClaimId& holder);
    void look_at_all();
    void look_at(const std::vector<ClaimRef>& claims);
    void looked(const ClaimId& claim, const std::optional<SourceHolder>& found);
    void undo(const ClaimFence& command, const FenceAnswer& answer);
    void answer(WaitId id, Result<Item<FenceAnswer>> outcome);

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    bool stopped_ = false;
    WaitId last_id_ = 0;
    std::map<WaitId, std::unique_ptr<Waiter>> waiters_;
    std::map<ClaimId, std::set<WaitId>> parked_;  // by the claim whose owner is waited for
    std::size_t parked_bytes_ = 0;
    HintedLooks looks_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
