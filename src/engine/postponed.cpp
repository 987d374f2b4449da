#include "engine/postponed.hpp"

#include <algorithm>

#include "base/time.hpp"

namespace semel {
namespace {

// The tries before a command may wait for its rows. Other nodes lock a row for the time of a
// commit, users' own transactions can lock it for longer.
constexpr int kTriesTogether = 3;
constexpr int kDoublingsMax = 6;
constexpr Millis kFirstPause = Millis(1);

// After an unsuccessful wait no command waits for this multiple of its duration.
constexpr int kRestAfterWait = 9;

// Pauses end at multiples of their length, so that commands postponed at different times share a
// batch.
std::chrono::nanoseconds end_of_pause(int tries, std::chrono::nanoseconds now) {
    const std::chrono::nanoseconds pause = kFirstPause * (1 << std::min(tries, kDoublingsMax));
    return now - now % pause + pause;
}

}  // namespace

void Postponed::add(PendingTask entry, Instant now) {
    if (entry.tries++ == 0) {
        entry.first_try = now;
    }
    entry.again_at = end_of_pause(entry.tries, now);
    entries_.push_back(std::move(entry));
}

std::optional<Postponed::Instant> Postponed::next_at() const {
    const auto next =
        std::min_element(entries_.begin(), entries_.end(),
                         [](const auto& a, const auto& b) { return a.again_at < b.again_at; });
    return next != entries_.end() ? std::optional(next->again_at) : std::nullopt;
}

PendingTask Postponed::take(Entries::iterator at) {
    PendingTask entry = std::move(*at);
    entries_.erase(at);
    return entry;
}

// Returns the entry that has waited least often. Otherwise an entry with a row that stays locked
// would use all waits.
Postponed::Entries::iterator Postponed::next_to_wait(Instant now) {
    auto next = entries_.end();
    if (now < waits_from_) {
        return next;
    }
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        const bool may = at->again_at <= now && at->tries >= kTriesTogether;
        if (may && (next == entries_.end() || at->waits < next->waits)) {
            next = at;
        }
    }
    return next;
}

std::optional<PendingTask> Postponed::take_waiter(Instant now) {
    // Never twice in a row: the row of one wait can be the row of all others, which can now be
    // decided together.
    const auto waiter = is_others_turn_ ? entries_.end() : next_to_wait(now);
    is_others_turn_ = waiter != entries_.end();
    if (waiter == entries_.end()) {
        return std::nullopt;
    }
    ++waiter->waits;
    return take(waiter);
}

std::optional<PendingTask> Postponed::take_single(Instant now) {
    const auto single = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return entry.alone && entry.again_at <= now;
    });
    return single != entries_.end() ? std::optional(take(single)) : std::nullopt;
}

std::vector<PendingTask> Postponed::take_due(Instant now, const TaskSize& most) {
    std::vector<PendingTask> due;
    Entries left;
    TaskSize size;
    for (PendingTask& entry : entries_) {
        const bool goes = entry.again_at <= now && !entry.alone && size.items < most.items &&
                          size.bytes < most.bytes;
        if (goes) size += entry.task->size();
        (goes ? due : left).push_back(std::move(entry));
    }
    entries_ = std::move(left);
    return due;
}

void Postponed::waited_in_vain(std::chrono::nanoseconds time, Instant now) {
    waits_from_ = now + time * kRestAfterWait;
}

}  // namespace semel
