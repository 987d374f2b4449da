// ReceiptShard: one shard of the sealed claims in memory. Its memory is limited in bytes. The least
// recently used claim is dropped first. The engine's ReceiptCache decides which claims are kept,
// and for how long.
//
// Threads: any. Each shard has a mutex. A request is answered on the caller's thread, because a
// switch of threads costs more than the answer.
// Lifetime: `store` outlives the shard.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/commands.hpp"
#include "store/store.hpp"

namespace semel {

class ReceiptShard {
public:
    // Claims with a count between two calls of take_served(). Without room for its count, a receipt
    // is not served.
    static constexpr std::size_t kServedMax = 128;

    // `bytes_max`: the limit of its memory. 0 keeps nothing.
    ReceiptShard(const Store& store, std::size_t bytes_max)
        : store_(store), bytes_max_(bytes_max) {}
    ~ReceiptShard() = default;
    ReceiptShard(const ReceiptShard&) = delete;
    ReceiptShard& operator=(const ReceiptShard&) = delete;

    struct Served {
        std::shared_ptr<const Claim> claim;  // null: the store must answer
        // True for the first count since take_served(), and for the last count with room. The cache
        // then asks for a flush.
        bool is_news = false;
    };
    // Returns the claim whose receipt answers this request, and counts the request. `now`: the
    // monotonic clock.
    [[nodiscard]] Served find(const ClaimFence& command, std::chrono::nanoseconds now);

    // Adds or replaces a claim. It is dropped at `until`, which is set if other nodes share the
    // store.
    void keep(std::shared_ptr<const Claim> claim, std::optional<std::chrono::nanoseconds> until);
    // Updates a claim that is kept: `after` replaces it if sealed, otherwise the claim is dropped.
    void replace(const ClaimId& id, const std::optional<Claim>& after);
    void forget_all();
    // Drops everything and keeps nothing from then on.
    void stop();

    // Returns and clears the counts of served receipts: one log entry with a count for each claim.
    [[nodiscard]] std::vector<DecisionEntry> take_served();
    // Returns true if there is no room for the count of another claim.
    [[nodiscard]] bool has_served_many() const;

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t size() const;

private:
    struct Cached {
        std::shared_ptr<const Claim> claim;
        std::optional<std::chrono::nanoseconds> until;
        std::size_t bytes = 0;
        // At `seen_at` by the store's clock the claim had not expired, and it cannot expire before
        // `good_until` by the monotonic clock. That saves a read of the store's clock, which has a
        // mutex.
        Time seen_at = {};
        std::chrono::nanoseconds good_until{0};
        std::uint64_t round = 0;  // in which it was last counted
        std::size_t entry = 0;    // its index in served_, in that round
    };
    using Recent = std::list<Cached>;

    // REQUIRES, for all below: mutex_ is locked.
    //
    // Returns true if the claim has neither expired nor passed `until`.
    [[nodiscard]] bool is_good(Cached& cached, std::chrono::nanoseconds now) const;
    [[nodiscard]] bool count(Cached& cached, const ClaimFence& command);
    void insert(Cached cached);
    void erase(Recent::iterator cached);
    void clear();

    const Store& store_;
    mutable std::mutex mutex_;  // guards the rest
    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    Recent recent_;  // most recently used first
    std::unordered_map<ClaimId, Recent::iterator> index_;
    std::vector<DecisionEntry> served_;
    std::uint64_t round_ = 1;  // of served_; take_served() begins the next one
};

}  // namespace semel
