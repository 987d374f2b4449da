#include "engine/receipt_cache.hpp"

#include <algorithm>
#include <utility>

#include "base/mutation.hpp"
#include "core/replay.hpp"

namespace semel {
namespace {

// How late this node may learn what another one did to a claim. Nodes look at one another's work
// twice a second; a key that is repeated all the time costs one look-up a second.
constexpr Millis kSharedFor = std::chrono::seconds(1);

constexpr std::chrono::nanoseconds kForEver = std::chrono::nanoseconds::max();

// Beside its texts: a place in the line, one in the index, and what the allocator needs for them.
constexpr std::size_t kOverhead = 256;

std::size_t bytes_of(const Claim& claim) {
    std::size_t bytes = sizeof(Claim) + sizeof(ReceiptCache::Kept) + kOverhead;
    bytes += claim.tenant.size() + claim.space.size() + claim.full_key.size();
    bytes += claim.receipt ? claim.receipt->body.size() : 0;
    const Effect& effect = *claim.effect;
    return bytes + effect.id.size() + effect.rule.size() + effect.source_type.size() +
           effect.source_id.size();
}

bool is_kept_kind(const std::optional<Claim>& claim) {
    return claim && claim->state == ClaimState::sealed && claim->effect;
}

}  // namespace

ReceiptCache::Line::iterator ReceiptCache::look_up(const FenceRequest& request) {
    if (SEMEL_MUTATION(receipt_tenant_ignored)) {
        return std::ranges::find_if(
            line_, [&](const Kept& kept) { return kept.claim->full_key == request.full_key; });
    }
    const auto found = index_.find(request.claim);
    return found == index_.end() ? line_.end() : found->second;
}

ReceiptCache::Kept* ReceiptCache::find(const ClaimFence& command) {
    const Line::iterator kept = look_up(command.request);
    if (kept == line_.end()) {
        return nullptr;
    }
    const bool is_shared = kept->until != kForEver;
    const bool is_over = is_shared && env_.monotonic() >= kept->until;
    if (is_over && !SEMEL_MUTATION(receipt_kept_for_ever)) {
        forget(kept);
        return nullptr;
    }
    // Another node's clock may be ahead by a moment, and must not call it new while it is replayed
    // here.
    const Time now = store_.now() + (is_shared ? kSharedFor : Millis(0));
    if (!is_replay(*kept->claim, command, now)) {
        return nullptr;
    }
    if (is_shared && SEMEL_MUTATION(receipt_kept_since_told)) {
        kept->until = env_.monotonic() + kSharedFor;
    }
    line_.splice(line_.begin(), line_, kept);
    return &*kept;
}

ReceiptCache::Ticket ReceiptCache::ask(const ClaimId& claim) {
    if (bytes_max_ == 0) {
        return {.claim = claim};
    }
    ++asked_[claim].open;
    return {.claim = claim,
            .number = ++last_ticket_,
            .until = store_.is_shared() ? env_.monotonic() + kSharedFor : kForEver};
}

void ReceiptCache::told(const Ticket& ticket, const Result<Item<FenceAnswer>>& told) {
    const auto asked = asked_.find(ticket.claim);
    if (ticket.number == 0 || asked == asked_.end()) {
        return;
    }
    const bool is_current = ticket.number > asked->second.changed && ticket.number > all_changed_;
    if (--asked->second.open == 0) {
        asked_.erase(asked);
    }
    if (!told || (!is_current && !SEMEL_MUTATION(receipt_kept_past_change))) {
        return;
    }
    const auto* answer = std::get_if<FenceAnswer>(&*told);
    if (answer != nullptr && answer->decision == Decision::duplicate) {
        keep(answer->claim, ticket.until);
    }
}

void ReceiptCache::keep(std::shared_ptr<const Claim> claim, std::chrono::nanoseconds until) {
    const std::size_t bytes = bytes_of(*claim);
    if (bytes > bytes_max_) {
        return;
    }
    const ClaimId id = claim->id;
    if (const auto before = index_.find(id); before != index_.end()) {
        forget(before->second);
    }
    line_.push_front({.claim = std::move(claim), .until = until, .bytes = bytes});
    index_.emplace(id, line_.begin());
    bytes_ += bytes;
    while (bytes_ > bytes_max_) {
        forget(std::prev(line_.end()));
    }
}

void ReceiptCache::forget(Line::iterator kept) {
    bytes_ -= kept->bytes;
    index_.erase(kept->claim->id);
    line_.erase(kept);
}

void ReceiptCache::recorded(const Changes& changes) {
    if (asked_.empty() && index_.empty()) {
        return;
    }
    for (const auto& change : changes.claims) {
        const auto& row = change.after ? change.after : change.before;
        if (row) {
            recorded(change, row->id);
        }
    }
}

// What it was before says nothing: a claim may be sealed, told and deleted in one commit.
void ReceiptCache::recorded(const Change<Claim>& change, const ClaimId& id) {
    if (const auto asked = asked_.find(id); asked != asked_.end()) {
        asked->second.changed = last_ticket_;
    }
    const auto found = index_.find(id);
    if (found == index_.end() || SEMEL_MUTATION(receipt_kept_when_deleted)) {
        return;
    }
    const auto until = found->second->until;
    forget(found->second);
    if (is_kept_kind(change.after)) {
        keep(std::make_shared<const Claim>(*change.after), until);
    }
}

void ReceiptCache::forget_all() {
    index_.clear();
    line_.clear();
    bytes_ = 0;
    all_changed_ = last_ticket_;
}

void ReceiptCache::stop() {
    forget_all();
    bytes_max_ = 0;
}

}  // namespace semel
