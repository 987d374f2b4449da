// ReceiptCache: sealed claims in memory, so that their repeats are told the same bytes without a
// look at the store. Bounded by bytes; the one that was asked for longest ago goes first. A claim
// comes in when somebody was told `duplicate` of it: what nobody repeats costs nothing.
//
// What it says is what the store would say, because
//   - every commit of this node passes through `recorded`, which forgets a claim that is no longer
//     sealed, whatever it was before;
//   - an answer that was on its way while its claim was changed is not kept (see Ticket);
//   - after a commit whose fate is not known nothing is kept;
//   - where other nodes share the store, nothing is kept for longer than a second from the moment
//     at which the store was asked. That is how late this node may learn of an operator's deletion
//     at another one, and nothing else can end a sealed claim before its time.
// See docs/decisions/0017-receipts-from-memory.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "core/changes.hpp"
#include "core/commands.hpp"
#include "engine/decision_log.hpp"
#include "engine/env.hpp"
#include "store/store.hpp"

namespace semel {

class ReceiptCache {
public:
    struct Kept {
        std::shared_ptr<const Claim> claim;
        std::chrono::nanoseconds until{0};  // by the monotonic clock
        std::size_t bytes = 0;
        DecisionLog::SumRef counted = {};
    };

    // A request that is on its way to the store.
    struct Ticket {
        ClaimId claim;
        std::uint64_t number = 0;  // 0: nothing comes of it
        std::chrono::nanoseconds until{0};
    };

    // `bytes_max` of 0 keeps nothing.
    ReceiptCache(Env& env, Store& store, std::size_t bytes_max)
        : env_(env), store_(store), bytes_max_(bytes_max) {}
    ~ReceiptCache() = default;
    ReceiptCache(const ReceiptCache&) = delete;
    ReceiptCache& operator=(const ReceiptCache&) = delete;

    // The claim whose receipt answers this request; null: it is for the store to say. Valid until
    // the next call.
    [[nodiscard]] Kept* find(const ClaimFence& command);

    // Each request that goes to the store is announced here before, and what it was told after.
    [[nodiscard]] Ticket ask(const ClaimId& claim);
    void told(const Ticket& ticket, const Result<Item<FenceAnswer>>& told);

    // Before the replies of a commit leave.
    void recorded(const Changes& changes);
    void forget_all();
    // Forgets all, and keeps nothing from then on.
    void stop();

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return index_.size(); }

private:
    using Line = std::list<Kept>;
    // Requests about one claim that are on their way.
    struct Asked {
        int open = 0;
        std::uint64_t changed = 0;  // tickets up to this one are about what the claim was
    };

    // The end of the line: nothing of it is kept.
    [[nodiscard]] Line::iterator look_up(const FenceRequest& request);
    void keep(std::shared_ptr<const Claim> claim, std::chrono::nanoseconds until);
    void forget(Line::iterator kept);
    void recorded(const Change<Claim>& change, const ClaimId& id);

    Env& env_;
    Store& store_;
    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    Line line_;  // the last one asked for first
    std::unordered_map<ClaimId, Line::iterator> index_;
    std::unordered_map<ClaimId, Asked> asked_;
    std::uint64_t last_ticket_ = 0;
    std::uint64_t all_changed_ = 0;  // as Asked::changed, of all claims
};

}  // namespace semel
