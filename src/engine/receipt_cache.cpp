#include "engine/receipt_cache.hpp"

#include <algorithm>
#include <utility>

namespace semel {
namespace {

// How late this node can notice another node's change of a claim. A key with constant repeats costs
// one query per second.
constexpr Millis kSharedFor = std::chrono::seconds(1);

// Many shards, so that threads rarely wait for each other.
constexpr std::size_t kShards = 16;

}  // namespace

ReceiptCache::ReceiptCache(Env& env, Store& store, std::size_t bytes_max,
                           std::function<void()> served_some)
    : env_(env), store_(store), served_some_(std::move(served_some)), keeps_none_(bytes_max == 0) {
    for (std::size_t i = 0; i < kShards; ++i) {
        buckets_.emplace_back(store, bytes_max / kShards);
    }
}

ReceiptShard& ReceiptCache::bucket_of(const ClaimId& claim) {
    return buckets_[std::hash<ClaimId>()(claim) % kShards];
}

std::shared_ptr<const Claim> ReceiptCache::find(const ClaimFence& command) {
    ReceiptShard::Served served = bucket_of(command.request.claim).find(command, env_.monotonic());
    if (served.is_news) {
        served_some_();
    }
    return std::move(served.claim);
}

std::vector<DecisionEntry> ReceiptCache::take_served() {
    std::vector<DecisionEntry> all;
    for (ReceiptShard& bucket : buckets_) {
        auto served = bucket.take_served();
        std::move(served.begin(), served.end(), std::back_inserter(all));
    }
    return all;
}

bool ReceiptCache::has_served_many() const {
    return std::ranges::any_of(buckets_, &ReceiptShard::has_served_many);
}

std::size_t ReceiptCache::bytes() const {
    std::size_t bytes = 0;
    for (const ReceiptShard& bucket : buckets_) bytes += bucket.bytes();
    return bytes;
}

std::size_t ReceiptCache::size() const {
    std::size_t size = 0;
    for (const ReceiptShard& bucket : buckets_) size += bucket.size();
    return size;
}

ReceiptCache::Ticket ReceiptCache::ask(const ClaimId& claim) {
    if (keeps_none_) {
        return {.claim = claim};
    }
    ++asked_[claim].open;
    Ticket ticket{.claim = claim, .number = ++last_ticket_};
    if (store_.is_shared()) {
        ticket.until = env_.monotonic() + kSharedFor;
    }
    return ticket;
}

void ReceiptCache::answered(const Ticket& ticket, const Result<Item<FenceAnswer>>& served) {
    const auto asked = asked_.find(ticket.claim);
    if (ticket.number == 0 || asked == asked_.end()) {
        return;
    }
    const bool is_current = ticket.number > asked->second.changed && ticket.number > all_changed_;
    if (--asked->second.open == 0) {
        asked_.erase(asked);
    }
    if (!served || !is_current) {
        return;
    }
    const auto* answer = std::get_if<FenceAnswer>(&*served);
    if (answer != nullptr && answer->decision == Decision::duplicate) {
        bucket_of(ticket.claim).keep(answer->claim, ticket.until);
    }
}

// Ignores the row before the commit: a claim can be sealed, answered and deleted in one commit.
void ReceiptCache::recorded(const Changes& changes) {
    if (keeps_none_) {
        return;
    }
    for (const auto& change : changes.claims) {
        const auto& row = change.after ? change.after : change.before;
        if (!row) {
            continue;
        }
        if (const auto asked = asked_.find(row->id); asked != asked_.end()) {
            asked->second.changed = last_ticket_;
        }
        bucket_of(row->id).replace(row->id, change.after);
    }
}

void ReceiptCache::forget_all() {
    for (ReceiptShard& bucket : buckets_) bucket.forget_all();
    all_changed_ = last_ticket_;
}

void ReceiptCache::stop() {
    for (ReceiptShard& bucket : buckets_) bucket.stop();
    all_changed_ = last_ticket_;
    keeps_none_ = true;
}

}  // namespace semel
