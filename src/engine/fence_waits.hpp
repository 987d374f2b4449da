// FenceWaits: claims of fences. A claim that meets an owner is parked until the owner ends its
// effect or its lease runs out. The owner's last commit wakes it. If that commit might be another
// node's, a query for all parked claims polls the store: 50 ms after a hint, and every 2 s.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/hinted_polls.hpp"
#include "engine/ledger.hpp"
#include "engine/waiters.hpp"

namespace semel {

class FenceWaits {
public:
    // `stopped`: the claim was cancelled, or the node stops. The caller owns nothing.
    using Callback = std::function<void(Result<Item<FenceAnswer>>)>;
    using WaitId = std::uint64_t;

    FenceWaits(Env& env, Store& store, Ledger& ledger);
    ~FenceWaits() { *is_alive_ = false; }
    FenceWaits(const FenceWaits&) = delete;
    FenceWaits& operator=(const FenceWaits&) = delete;

    // Waits as long as the request says, then answers `in_flight`. Answers `in_flight` at once if
    // parked claims take 64 MB already.
    WaitId claim(ClaimFence command, Callback done);
    // The caller has hung up, or lost its right to claim. A fence that it would own is released.
    void cancel(WaitId id) { claims_.cancel(id); }

    void committed(const Changes& changes);
    // A hint: another node might have ended an effect.
    void poll_soon();
    // The node calls this several times per second.
    void poll_again();

    void stop();

private:
    struct Ask {
        ClaimFence command;
        Time deadline;
        std::uint64_t hints = 0;            // how many there had been when the ledger was asked
        SourceHolder holder = {};           // the owner that a parked claim waits for
        std::shared_ptr<void> memory = {};  // its part of parked_bytes_, from its first park on

        [[nodiscard]] Time sleeps_until() const { return std::min(deadline, holder.until); }
    };
    using Claims = Waiters<ClaimRef, Ask, Item<FenceAnswer>>;

    void ask(WaitId id);
    void asked(WaitId id, Result<Reply<ClaimFence>> reply);
    void park(WaitId id, Ask& ask, const SourceHolder& holder);
    [[nodiscard]] std::shared_ptr<void> take_memory(const ClaimFence& command);
    void sleep(WaitId id, const Ask& ask);
    void slept(WaitId id);
    void poll_all();
    void poll_for(const std::vector<ClaimRef>& claims);
    void polled(const ClaimRef& claim, const std::optional<SourceHolder>& found);
    void undo(const ClaimFence& command, const FenceAnswer& answer);

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    std::size_t parked_bytes_ = 0;
    Claims claims_;  // by the claim whose owner they wait for
    HintedPolls polls_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
