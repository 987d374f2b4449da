// ReceiptShelf: a part of the receipts in memory, with a lock of its own: it is asked on the thread
// of whoever repeats, since no hand-over between threads is as cheap as the answer. Bounded by
// bytes; the claim that was asked for longest ago goes first. Which claims may be kept, and for how
// long, the engine's ReceiptCache says.
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

class ReceiptShelf {
public:
    // Lines between two times at which they are taken. What could not be written down in time is
    // not told.
    static constexpr std::size_t kToldMax = 128;

    // `bytes_max` of 0 keeps nothing.
    ReceiptShelf(const Store& store, std::size_t bytes_max)
        : store_(store), bytes_max_(bytes_max) {}
    ~ReceiptShelf() = default;
    ReceiptShelf(const ReceiptShelf&) = delete;
    ReceiptShelf& operator=(const ReceiptShelf&) = delete;

    struct Told {
        std::shared_ptr<const Claim> claim;  // null: it is for the store to say
        bool is_news = false;  // the first since they were taken, or the last there is room for
    };
    // The claim whose receipt answers this request, which is counted. `now` is by the monotonic
    // clock.
    [[nodiscard]] Told find(const ClaimFence& command, std::chrono::nanoseconds now);

    // Until then, where other nodes share the store. In place of what was kept of this claim.
    void keep(std::shared_ptr<const Claim> claim, std::optional<std::chrono::nanoseconds> until);
    // A claim has changed: where it is kept, `after` is from now on, if it is sealed.
    void replace(const ClaimId& id, const std::optional<Claim>& after);
    void forget_all();
    // Forgets all, and keeps nothing from then on.
    void stop();

    // What was told since the last time: a line with a count for each claim.
    [[nodiscard]] std::vector<DecisionEntry> take_told();
    // There is no room for more of them.
    [[nodiscard]] bool has_told_many() const;

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t size() const;

private:
    struct Kept {
        std::shared_ptr<const Claim> claim;
        std::optional<std::chrono::nanoseconds> until;
        std::size_t bytes = 0;
        // By the store's clock it was not yet over at `seen_at`, nor will it be for as long as the
        // monotonic clock says. That saves a look at the store's clock, which has a lock too.
        Time seen_at = {};
        std::chrono::nanoseconds good_until{0};
        std::uint64_t round = 0;  // in which it was told last
        std::size_t line = 0;     // of that round, in told_
    };
    using Line = std::list<Kept>;

    // REQUIRES, all below: mutex_ is held.
    // The end of the line: nothing of it is kept.
    [[nodiscard]] Line::iterator look_up(const FenceRequest& request);
    // Whether it may be told at all.
    [[nodiscard]] bool is_good(Kept& kept, std::chrono::nanoseconds now) const;
    [[nodiscard]] bool count(Kept& kept, const ClaimFence& command);
    void insert(Kept kept);
    void erase(Line::iterator kept);
    void clear();

    const Store& store_;
    mutable std::mutex mutex_;  // guards the rest
    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    Line line_;  // the last one asked for first
    std::unordered_map<ClaimId, Line::iterator> index_;
    std::vector<DecisionEntry> told_;
    std::uint64_t round_ = 1;  // of told_: another whenever they are taken
};

}  // namespace semel
