// ReceiptCache: sealed claims in memory, so that their repeats are told the same bytes without a
// look at the store. A claim comes in when somebody was told `duplicate` of it: what nobody repeats
// costs nothing.
//
// What it says is what the store would say, because
//   - every commit of this node passes through `recorded`, which forgets a claim that is no longer
//     sealed, whatever it was before;
//   - an answer that was on its way while its claim was changed is not kept (see Ticket);
//   - after a commit whose fate is not known nothing is kept;
//   - where other nodes share the store, nothing is kept for longer than a second from the moment
//     at which the store was asked. That is how late this node may learn of an operator's deletion
//     at another one, and nothing else can end a sealed claim before its time.
//
// `find` is for any thread, the rest for the engine's. See
// docs/decisions/0017-receipts-from-memory.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/changes.hpp"
#include "core/commands.hpp"
#include "engine/env.hpp"
#include "store/receipt_shelf.hpp"
#include "store/store.hpp"

namespace semel {

class ReceiptCache {
public:
    // A request that is on its way to the store.
    struct Ticket {
        ClaimId claim;
        std::uint64_t number = 0;                            // 0: nothing comes of it
        std::optional<std::chrono::nanoseconds> until = {};  // by the monotonic clock
    };

    // `bytes_max` of 0 keeps nothing. `told_some` is called, on any thread, when there is something
    // for take_told(), and when there is much.
    ReceiptCache(Env& env, Store& store, std::size_t bytes_max, std::function<void()> told_some);
    ~ReceiptCache() = default;
    ReceiptCache(const ReceiptCache&) = delete;
    ReceiptCache& operator=(const ReceiptCache&) = delete;

    // The claim whose receipt answers this request, which is counted; null: it is for the store to
    // say.
    [[nodiscard]] std::shared_ptr<const Claim> find(const ClaimFence& command);
    // What was told since the last time: a line with a count for each claim.
    [[nodiscard]] std::vector<DecisionEntry> take_told();
    // Some requests go to the store until that is done.
    [[nodiscard]] bool has_told_many() const;

    // Each request that goes to the store is announced here before, and what it was told after.
    [[nodiscard]] Ticket ask(const ClaimId& claim);
    void told(const Ticket& ticket, const Result<Item<FenceAnswer>>& told);

    // Before the replies of a commit leave.
    void recorded(const Changes& changes);
    void forget_all();
    // Forgets all, and keeps nothing from then on.
    void stop();

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t size() const;

private:
    // Requests about one claim that are on their way.
    struct Asked {
        int open = 0;
        std::uint64_t changed = 0;  // tickets up to this one are about what the claim was
    };

    [[nodiscard]] ReceiptShelf& shelf_of(const ClaimId& claim);
    [[nodiscard]] ReceiptShelf::Told look(const ClaimFence& command);

    Env& env_;
    Store& store_;
    const std::function<void()> told_some_;
    std::deque<ReceiptShelf> shelves_;
    bool keeps_none_;
    std::unordered_map<ClaimId, Asked> asked_;
    std::uint64_t last_ticket_ = 0;
    std::uint64_t all_changed_ = 0;  // as Asked::changed, of all claims
};

}  // namespace semel
