// ReceiptCache: keeps sealed claims in memory and answers their repeats with the same bytes,
// without a read of the store. A claim enters the cache when the store has answered `duplicate` for
// it, so a claim that no caller repeats costs no memory. Reasons and figures are in
// docs/decisions/0017-receipts-from-memory.md.
//
// A served receipt equals the store's answer, for these reasons:
// - Every commit of this node passes through recorded(), which drops a claim that is no longer
//   sealed.
// - An answer that was sent before its claim changed is not kept (see Ticket).
// - After a commit with an unknown result the cache drops everything (forget_all()).
// - If other nodes share the store, an entry is served for at most 1 s after the store was asked.
//   So this node notices an operator's deletion on another node within that second. Only a deletion
//   can end a sealed claim before it expires.
//
// Threads: find(), has_served_many(), bytes() and size() any. All other members: the engine's
// executor.
// Lifetime: `env` and `store` outlive the cache.
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

#include "core/batch/changes.hpp"
#include "core/commands.hpp"
#include "engine/env.hpp"
#include "store/caches/receipt_shard.hpp"
#include "store/store.hpp"

namespace semel {

class ReceiptCache {
public:
    // A request that was sent to the store and has no answer yet.
    struct Ticket {
        ClaimId claim;
        std::uint64_t number = 0;                            // 0: its answer is not kept
        std::optional<std::chrono::nanoseconds> until = {};  // by the monotonic clock
    };

    // `bytes_max`: memory for all receipts. 0 turns the cache off. The cache calls `served_some`,
    // on any thread, in two cases:
    // - A shard has served its first receipt since take_served().
    // - A shard has no room for the counts of further claims.
    ReceiptCache(Env& env, Store& store, std::size_t bytes_max, std::function<void()> served_some);
    ~ReceiptCache() = default;
    ReceiptCache(const ReceiptCache&) = delete;
    ReceiptCache& operator=(const ReceiptCache&) = delete;

    // Returns the claim whose receipt answers this request, and counts the request. Returns null if
    // the request must go to the store.
    [[nodiscard]] std::shared_ptr<const Claim> find(const ClaimFence& command);
    // Returns and clears the counts of served receipts: one log entry with a count for each claim.
    [[nodiscard]] std::vector<DecisionEntry> take_served();
    // Whether a shard has no room for the counts of more claims. Until take_served() is called,
    // repeats of claims without a count go to the store.
    [[nodiscard]] bool has_served_many() const;

    // Call ask() before a request goes to the store, and answered() with the store's answer.
    [[nodiscard]] Ticket ask(const ClaimId& claim);
    void answered(const Ticket& ticket, const Result<Item<FenceAnswer>>& served);

    // Applies a commit to the cache. Call it before the replies of the commit are sent.
    void recorded(const Changes& changes);
    void forget_all();
    // Drops everything and keeps nothing from then on.
    void stop();

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t size() const;

private:
    // Requests about one claim that were sent and have no answer yet.
    struct Asked {
        int open = 0;
        std::uint64_t changed = 0;  // answers to tickets up to this one are outdated
    };

    [[nodiscard]] ReceiptShard& bucket_of(const ClaimId& claim);

    Env& env_;
    Store& store_;
    const std::function<void()> served_some_;
    std::deque<ReceiptShard> buckets_;
    bool keeps_none_;
    std::unordered_map<ClaimId, Asked> asked_;
    std::uint64_t last_ticket_ = 0;
    std::uint64_t all_changed_ = 0;  // like Asked::changed, for all claims
};

}  // namespace semel
