#include "engine/decision_log.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/crash_point.hpp"

namespace semel {
namespace {

constexpr Millis kFlushEvery = std::chrono::seconds(1);
constexpr std::size_t kCountedAtOnce = 200;  // claims: a locked one delays the others
// The limit of keys in memory while the main store refuses the sums: the fence store can continue
// to commit. Further repeats are in the metrics and missing from the log.
constexpr std::size_t kSumsKept = 50'000;
constexpr std::size_t kUnwrittenMax =
    100'000;  // entries in memory; further ones are reported as unlogged

// Adds the names that are missing, up to the limit.
void add_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
    for (const std::string& one : more) {
        const bool is_known = std::ranges::find(names, one) != names.end();
        if (!is_known && names.size() < DecisionLog::kKeysNamed) names.push_back(one);
    }
}

}  // namespace

DecisionLog::DecisionLog(Env& env, Ledger& ledger, Ledger& fences, ReceiptCache& receipts)
    : env_(env), ledger_(ledger), fences_(fences), receipts_(receipts) {}

DecisionLog::~DecisionLog() {
    if (timer_) {
        env_.cancel(*timer_);
    }
}

void DecisionLog::committed(const Changes& changes) {
    for (const DecisionEntry& entry : changes.decisions) {
        if (!is_repeat(entry.decision)) {  // a sum was counted when it happened
            env_.observer().on_decision(entry);
        }
        env_.observer().on_decision_line(entry);
        find_near_miss(entry);
    }
    add_repeats(changes);
}

// Keeps the entries that have room, and reports the others as unlogged.
void DecisionLog::keep(const std::vector<DecisionEntry>& entries) {
    const std::size_t room = kUnwrittenMax - std::min(kUnwrittenMax, unwritten_.size());
    const auto kept = static_cast<std::ptrdiff_t>(std::min(room, entries.size()));
    unwritten_.insert(unwritten_.end(), entries.begin(), entries.begin() + kept);
    std::int64_t dropped = 0;
    for (auto entry = entries.begin() + kept; entry != entries.end(); ++entry)
        dropped += entry->count;
    if (dropped > 0) {
        env_.observer().on_unlogged(dropped);
    }
}

// Keeps the sum of a repeat in the same way.
void DecisionLog::keep(const Sum& more) {
    if (sums_.size() < kSumsKept || sums_.contains(key_of(more.entry))) {
        add(more);
    } else {
        env_.observer().on_unlogged(more.entry.count);
    }
}

// If the main ledger is full, the entries are kept in memory. Otherwise the fence store, which
// continues to commit, would keep the main ledger full.
void DecisionLog::committed_elsewhere(const Changes& changes) {
    if (ledger_.is_full() && !changes.decisions.empty()) {
        keep(changes.decisions);
        flush_later();
    } else if (!changes.decisions.empty()) {
        write_entries(changes.decisions);
    }
    add_repeats(changes);
}

// Writes entries of the fence store. They are counted now, like the entries of a commit.
void DecisionLog::write_entries(std::vector<DecisionEntry> entries) {
    RecordDecisions command{.entries = entries};
    ledger_.submit(std::make_unique<CommandTask<RecordDecisions>>(
        std::move(command),
        [this, entries = std::move(entries)](const Result<Reply<RecordDecisions>>& reply) {
            if (reply || reply.error().code() == ErrorCode::stopped) {
                return;
            }
            keep(entries);
            flush_later();
        }));
}

// If there are kSumsMax sums already, the store has refused them. The timer then writes them again,
// not each commit.
void DecisionLog::add_repeats(const Changes& changes) {
    const bool were_refused = sums_.size() >= kSumsMax;
    for (const DecisionEntry& entry : changes.repeats) {
        env_.observer().on_decision(entry);
        keep(Sum{entry});
    }
    were_refused ? flush_later() : flush_in_time();
}

void DecisionLog::repeated(const DecisionEntry& entry) {
    env_.observer().on_decision(entry);
    keep(Sum{entry});
    flush_later();
}

void DecisionLog::served_some() {
    if (receipts_.has_served_many() && served_unsaved_ == 0) {
        flush_now();
    } else {
        flush_later();
    }
}

void DecisionLog::find_near_miss(const DecisionEntry& entry) {
    if (const auto near_miss = near_misses_.note(entry)) {
        env_.observer().on_decision(*near_miss);
        add(Sum{*near_miss});
    }
}

DecisionLog::SumKey DecisionLog::key_of(const DecisionEntry& entry) {
    return {.tenant = entry.tenant,
            .key = entry.key,
            .effect_id = entry.effect_id,
            .token = entry.token,
            .rule = entry.rule,
            .replaced = entry.replaced};
}

void DecisionLog::add(const Sum& more) {
    const DecisionEntry& entry = more.entry;
    const auto [at, is_new] = sums_.try_emplace(key_of(entry), more);
    Sum& sum = at->second;
    if (!is_new) {
        sum.entry.count += entry.count;
    }
    if (entry.decision == Decision::near_miss) {
        add_names(sum.others, more.others.empty() ? std::vector{entry.reason} : more.others);
    }
}

// Returns the entry of a sum. That of a near miss names the later keys with the same content.
DecisionEntry DecisionLog::entry_of(const Sum& sum) {
    DecisionEntry entry = sum.entry;
    if (!sum.others.empty()) {
        entry.reason = fmt::format("{}", fmt::join(sum.others, ", "));
        const auto more = entry.count - static_cast<std::int64_t>(kKeysNamed);
        if (sum.others.size() == kKeysNamed && more > 0) {
            entry.reason += fmt::format(" and {} more", more);
        }
    }
    return entry;
}

void DecisionLog::flush_in_time() {
    if (sums_.size() >= kSumsMax) {
        flush_now();
    } else if (!sums_.empty()) {
        flush_later();
    }
}

void DecisionLog::flush_later() {
    if (!timer_) {
        timer_ = env_.after(kFlushEvery, [this] {
            timer_.reset();
            auto kept = std::exchange(unwritten_, {});
            if (!ledger_.is_full()) unwritten_.swap(kept);
            flush_now();
            if (!kept.empty()) {
                unwritten_ = std::move(kept);
                flush_later();
            }
        });
    }
}

void DecisionLog::flush_now() {
    if (served_unsaved_ > 0) {
        write_sums(false);
    } else {
        flush();
    }
}

void DecisionLog::flush() {
    const std::vector<DecisionEntry> served = receipts_.take_served();
    for (const DecisionEntry& entry : served) keep(Sum{entry});
    write_sums(!served.empty());
}

// Does not wait for the log before it counts: if the store refuses the log entries of a stopping
// node, it refuses the counts too.
void DecisionLog::flush_and_count() {
    for (const DecisionEntry& entry : receipts_.take_served()) keep(Sum{entry});
    const std::vector<Sum> sums = take_sums();
    if (!sums.empty()) {
        write_entries(entries_of(sums));
        count_on_claims(sums, false);
    }
}

std::vector<DecisionLog::Sum> DecisionLog::take_sums() {
    std::vector<Sum> sums;
    sums.reserve(sums_.size());
    for (auto& [key, sum] : sums_) sums.push_back(std::move(sum));
    sums_.clear();
    return sums;
}

std::vector<DecisionEntry> DecisionLog::entries_of(const std::vector<Sum>& sums) {
    std::vector<DecisionEntry> entries;
    entries.reserve(sums.size());
    std::ranges::transform(sums, std::back_inserter(entries), entry_of);
    return entries;
}

void DecisionLog::write_sums(bool with_served) {
    if (!unwritten_.empty()) {
        write_entries(std::exchange(unwritten_, {}));
    }
    if (sums_.empty()) {
        return;
    }
    std::vector<Sum> sums = take_sums();
    RecordDecisions command{.entries = entries_of(sums)};
    SEMEL_CRASH_POINT(repeats_flushed);
    served_unsaved_ += with_served ? 1 : 0;
    ledger_.submit(std::make_unique<CommandTask<RecordDecisions>>(
        std::move(command),
        [this, with_served, sums = std::move(sums)](const Result<Reply<RecordDecisions>>& reply) {
            if (reply) {
                count_on_claims(sums, with_served);
            } else if (reply.error().code() != ErrorCode::stopped) {
                for (const Sum& sum : sums) keep(sum);  // until the store is available again
                flush_later();
            }
            if (with_served) part_of_served_ended();
        }));
}

void DecisionLog::part_of_served_ended() {
    if (--served_unsaved_ == 0) {
        served_some();  // receipts were served since
    }
}

// A failed CountRepeats is not retried: the decision log has the same sums.
void DecisionLog::count_on_claims(const std::vector<Sum>& sums, bool with_served) {
    CountRepeats here;
    CountRepeats of_fences;
    const auto submit = [this, with_served](Ledger& ledger, CountRepeats& command) {
        if (command.counts.empty()) {
            return;
        }
        served_unsaved_ += with_served ? 1 : 0;
        ledger.submit(std::make_unique<CommandTask<CountRepeats>>(
            std::exchange(command, {}), [this, with_served](const Result<Reply<CountRepeats>>&) {
                if (with_served) part_of_served_ended();
            }));
    };
    for (const Sum& sum : sums) {
        const DecisionEntry& entry = sum.entry;
        // The duplicates of actions and chains are not counted on the claim.
        const bool is_fence = entry.surface == "fences";
        const bool is_counted = is_fence || entry.surface == "api" || entry.surface == "gateway";
        CountRepeats& command = is_fence ? of_fences : here;
        if (is_counted && entry.claim && entry.decision == Decision::duplicate) {
            command.counts.push_back({*entry.claim, entry.token, entry.count});
        }
        if (command.counts.size() >= kCountedAtOnce) {
            submit(is_fence ? fences_ : ledger_, command);
        }
    }
    submit(ledger_, here);
    submit(fences_, of_fences);
}

}  // namespace semel
