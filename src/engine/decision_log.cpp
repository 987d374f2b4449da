#include "engine/decision_log.hpp"

#include "base/crash_point.hpp"

namespace semel {
namespace {

constexpr Millis kFlushEvery = std::chrono::seconds(1);
constexpr std::size_t kSumsMax = 10'000;  // keys held in memory before they are written early

}  // namespace

DecisionLog::DecisionLog(Env& env, Ledger& ledger) : env_(env), ledger_(ledger) {}

DecisionLog::~DecisionLog() {
    if (timer_) {
        env_.cancel(*timer_);
    }
}

void DecisionLog::committed(const Changes& changes) {
    for (const DecisionEntry& entry : changes.decisions) {
        const bool is_sum = entry.decision == Decision::duplicate;  // counted when it happened
        if (!is_sum) {
            env_.observer().on_decision(entry);
        }
        env_.observer().on_decision_line(entry);
    }
    for (const DecisionEntry& entry : changes.repeats) {
        env_.observer().on_decision(entry);
        add(entry);
    }
    if (sums_.size() >= kSumsMax) {
        flush();
    } else if (!sums_.empty()) {
        flush_later();
    }
}

void DecisionLog::add(const DecisionEntry& entry) {
    auto [sum, is_new] = sums_.try_emplace(
        {entry.tenant, entry.key, entry.effect_id, entry.rule, entry.replaced}, entry);
    if (!is_new) {
        sum->second.count += entry.count;
    }
}

void DecisionLog::flush_later() {
    if (!timer_) {
        timer_ = env_.after(kFlushEvery, [this] {
            timer_.reset();
            flush();
        });
    }
}

void DecisionLog::flush() {
    if (sums_.empty()) {
        return;
    }
    RecordDecisions command;
    command.entries.reserve(sums_.size());
    for (auto& [key, entry] : sums_) {
        command.entries.push_back(std::move(entry));
    }
    sums_.clear();
    SEMEL_CRASH_POINT(repeats_flushed);
    auto entries = command.entries;
    ledger_.submit(std::make_unique<CommandTask<RecordDecisions>>(
        std::move(command),
        [this, entries = std::move(entries)](const Result<Reply<RecordDecisions>>& reply) {
            if (reply || reply.error().code() == ErrorCode::stopped) {
                return;
            }
            for (const DecisionEntry& entry : entries) {
                add(entry);  // the store is away: they are written when it is back
            }
            flush_later();
        }));
}

}  // namespace semel
