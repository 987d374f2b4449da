#include "engine/decision_log.hpp"

#include <algorithm>
#include <utility>

#include "base/crash_point.hpp"

namespace semel {
namespace {

constexpr Millis kFlushEvery = std::chrono::seconds(1);
constexpr std::size_t kCountedAtOnce = 200;  // claims: one that is held keeps the others waiting
constexpr std::size_t kSumsMax = 10'000;     // keys held in memory before they are written early
// Keys held while the store takes none: another store may go on, and its repeats. What comes then
// is in the metrics and not in the log.
constexpr std::size_t kSumsKept = 50'000;
constexpr std::size_t kUnwrittenMax = 100'000;  // lines held in memory; what comes then is not kept

}  // namespace

DecisionLog::DecisionLog(Env& env, Ledger& ledger, Ledger& fences)
    : env_(env), ledger_(ledger), fences_(fences) {}

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
        look_for_near_miss(entry);
    }
    add_repeats(changes);
}

// As far as there is room.
void DecisionLog::keep(const std::vector<DecisionEntry>& lines) {
    const std::size_t room = kUnwrittenMax - std::min(kUnwrittenMax, unwritten_.size());
    const auto kept = static_cast<std::ptrdiff_t>(std::min(room, lines.size()));
    unwritten_.insert(unwritten_.end(), lines.begin(), lines.begin() + kept);
    std::int64_t dropped = 0;
    for (auto line = lines.begin() + kept; line != lines.end(); ++line) dropped += line->count;
    if (dropped > 0) {
        env_.observer().on_unlogged(dropped);
    }
}

// The same of a repeat.
void DecisionLog::keep_repeat(const DecisionEntry& entry) {
    if (sums_.size() < kSumsKept || has_sum(entry)) {
        (void)add(entry);
    } else {
        env_.observer().on_unlogged(entry.count);
    }
}

// A ledger that turns callers away is not given lines beside: the other store goes on, and would
// fill it for good.
void DecisionLog::committed_elsewhere(const Changes& changes) {
    if (ledger_.is_full() && !changes.decisions.empty()) {
        keep(changes.decisions);
        flush_later();
    } else if (!changes.decisions.empty()) {
        write_lines(changes.decisions);
    }
    add_repeats(changes);
}

// They are counted when they are written, like those of a commit here.
void DecisionLog::write_lines(std::vector<DecisionEntry> lines) {
    RecordDecisions command{.entries = lines};
    ledger_.submit(std::make_unique<CommandTask<RecordDecisions>>(
        std::move(command),
        [this, lines = std::move(lines)](const Result<Reply<RecordDecisions>>& reply) {
            if (reply || reply.error().code() == ErrorCode::stopped) {
                return;
            }
            keep(lines);
            flush_later();
        }));
}

// So many are there before only where the store did not take them: it is asked again in time, and
// not with each of them.
void DecisionLog::add_repeats(const Changes& changes) {
    const bool were_refused = sums_.size() >= kSumsMax;
    for (const DecisionEntry& entry : changes.repeats) {
        env_.observer().on_decision(entry);
        keep_repeat(entry);
    }
    were_refused ? flush_later() : flush_in_time();
}

void DecisionLog::begin_sum(SumRef& ref, const DecisionEntry& entry) {
    const bool were_refused = sums_.size() >= kSumsMax;
    ref = {&add(entry), round_};
    were_refused ? flush_later() : flush_in_time();
}

void DecisionLog::look_for_near_miss(const DecisionEntry& entry) {
    if (const auto line = near_misses_.note(entry)) {
        env_.observer().on_decision(*line);
        (void)add(*line);
    }
}

DecisionLog::SumKey DecisionLog::key_of(const DecisionEntry& entry) {
    return {entry.tenant, entry.key, entry.effect_id, entry.rule, entry.replaced};
}

DecisionEntry& DecisionLog::add(const DecisionEntry& entry) {
    auto [sum, is_new] = sums_.try_emplace(key_of(entry), entry);
    if (!is_new) {
        sum->second.count += entry.count;
    }
    return sum->second;
}

void DecisionLog::flush_in_time() {
    if (sums_.size() >= kSumsMax) {
        flush();
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
            flush();
            if (!kept.empty()) {
                unwritten_ = std::move(kept);
                flush_later();
            }
        });
    }
}

void DecisionLog::flush() {
    if (!unwritten_.empty()) {
        write_lines(std::exchange(unwritten_, {}));
    }
    if (sums_.empty()) {
        return;
    }
    RecordDecisions command;
    command.entries.reserve(sums_.size());
    for (auto& [key, entry] : sums_) {
        command.entries.push_back(std::move(entry));
    }
    sums_.clear();
    ++round_;
    SEMEL_CRASH_POINT(repeats_flushed);
    auto entries = command.entries;
    ledger_.submit(std::make_unique<CommandTask<RecordDecisions>>(
        std::move(command),
        [this, entries = std::move(entries)](const Result<Reply<RecordDecisions>>& reply) {
            if (reply) {
                count_on_claims(entries);
                return;
            }
            if (reply.error().code() == ErrorCode::stopped) {
                return;
            }
            for (const DecisionEntry& entry : entries) {
                keep_repeat(entry);  // the store is away: they are written when it is back
            }
            flush_later();
        }));
}

// What is asked of a claim later is not worth a second try: the log has the sums.
void DecisionLog::count_on_claims(const std::vector<DecisionEntry>& sums) {
    CountRepeats here;
    CountRepeats of_fences;
    const auto submit = [](Ledger& ledger, CountRepeats& command) {
        if (!command.counts.empty()) {
            ledger.submit(std::make_unique<CommandTask<CountRepeats>>(
                std::exchange(command, {}), [](const Result<Reply<CountRepeats>>&) {}));
        }
    };
    for (const DecisionEntry& sum : sums) {
        // Actions and chains have rows of their own that say what became of a key.
        const bool is_counted = sum.surface == "fences" || sum.surface == "api";
        const bool is_fence = sum.surface == "fences";
        CountRepeats& command = is_fence ? of_fences : here;
        if (is_counted && sum.claim && sum.decision == Decision::duplicate) {
            command.counts.emplace_back(*sum.claim, sum.count);
        }
        if (command.counts.size() >= kCountedAtOnce) {
            submit(is_fence ? fences_ : ledger_, command);
        }
    }
    submit(ledger_, here);
    submit(fences_, of_fences);
}

}  // namespace semel
