#include "store/caches/receipt_shard.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/fences/fence_trace.hpp"
#include "core/keys/replay.hpp"

namespace semel {
namespace {

// The margin for another node's clock that is ahead: no node must answer `new` while this one still
// serves the receipt.
constexpr Millis kClocksApart = std::chrono::seconds(1);

// How long the store's clock is not read. Store time never runs twice as fast as the monotonic
// clock, also after a step of the wall clock.
constexpr Millis kGoodFor = std::chrono::minutes(1);
constexpr int kFasterThan = 2;

// The memory of a claim besides its texts: in the list, in the index and in the allocator.
constexpr std::size_t kOverhead = 320;

std::size_t bytes_of(const Claim& claim) {
    std::size_t bytes = sizeof(Claim) + kOverhead;
    bytes += claim.tenant.size() + claim.space.size() + claim.full_key.size();
    bytes += claim.receipt ? claim.receipt->body.size() : 0;
    const Effect& effect = *claim.effect;
    return bytes + effect.id.size() + effect.rule.size() + effect.source_type.size() +
           effect.source_id.size();
}

}  // namespace

ReceiptShard::Served ReceiptShard::find(const ClaimFence& command, std::chrono::nanoseconds now) {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(command.request.claim);
    if (found == index_.end()) {
        return {};
    }
    const auto cached = found->second;
    if (!is_good(*cached, now)) {
        erase(cached);
        return {};
    }
    const std::size_t entries = served_.size();
    if (!is_replay(*cached->claim, command, cached->seen_at) || !count(*cached, command)) {
        return {};
    }
    recent_.splice(recent_.begin(), recent_, cached);
    const bool is_new = served_.size() > entries;
    return {cached->claim, is_new && (served_.size() == 1 || served_.size() == kServedMax)};
}

bool ReceiptShard::is_good(Cached& cached, std::chrono::nanoseconds now) const {
    if (cached.until && now >= *cached.until) {
        return false;
    }
    if (now < cached.good_until) {
        return true;
    }
    cached.seen_at = store_.now() + (cached.until ? kClocksApart : Millis(0));
    const Millis left =
        cached.claim->expires_at ? *cached.claim->expires_at - cached.seen_at : kGoodFor;
    cached.good_until = now + std::clamp<Millis>(left / kFasterThan, Millis(0), kGoodFor);
    return left > Millis(0);
}

bool ReceiptShard::count(Cached& cached, const ClaimFence& command) {
    if (cached.round == round_) {
        ++served_[cached.entry].count;
        return true;
    }
    if (served_.size() >= kServedMax) {
        return false;
    }
    cached.round = round_;
    cached.entry = served_.size();
    served_.push_back(replay_entry(command, *cached.claim, store_.now()));
    return true;
}

void ReceiptShard::keep(std::shared_ptr<const Claim> claim,
                        std::optional<std::chrono::nanoseconds> until) {
    const std::size_t bytes = bytes_of(*claim);
    const std::lock_guard lock(mutex_);
    if (bytes > bytes_max_) {
        return;
    }
    if (const auto before = index_.find(claim->id); before != index_.end()) {
        erase(before->second);
    }
    insert({.claim = std::move(claim), .until = until, .bytes = bytes});
}

void ReceiptShard::replace(const ClaimId& id, const std::optional<Claim>& after) {
    const std::lock_guard lock(mutex_);
    const auto before = index_.find(id);
    if (before == index_.end()) {
        return;
    }
    const auto until = before->second->until;
    erase(before->second);
    const bool is_sealed = after && after->state == ClaimState::sealed && after->effect;
    if (is_sealed && bytes_of(*after) <= bytes_max_) {
        insert({.claim = std::make_shared<const Claim>(*after),
                .until = until,
                .bytes = bytes_of(*after)});
    }
}

void ReceiptShard::insert(Cached cached) {
    bytes_ += cached.bytes;
    recent_.push_front(std::move(cached));
    index_.emplace(recent_.front().claim->id, recent_.begin());
    while (bytes_ > bytes_max_) {
        erase(std::prev(recent_.end()));
    }
}

void ReceiptShard::erase(Recent::iterator cached) {
    bytes_ -= cached->bytes;
    index_.erase(cached->claim->id);
    recent_.erase(cached);
}

void ReceiptShard::clear() {
    index_.clear();
    recent_.clear();
    bytes_ = 0;
}

void ReceiptShard::forget_all() {
    const std::lock_guard lock(mutex_);
    clear();
}

void ReceiptShard::stop() {
    const std::lock_guard lock(mutex_);
    clear();
    bytes_max_ = 0;
}

std::vector<DecisionEntry> ReceiptShard::take_served() {
    const std::lock_guard lock(mutex_);
    ++round_;
    return std::exchange(served_, {});
}

bool ReceiptShard::has_served_many() const {
    const std::lock_guard lock(mutex_);
    return served_.size() >= kServedMax;
}

std::size_t ReceiptShard::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

std::size_t ReceiptShard::size() const {
    const std::lock_guard lock(mutex_);
    return index_.size();
}

}  // namespace semel
