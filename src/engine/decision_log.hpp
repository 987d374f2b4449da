// DecisionLog: every decision leaves a trace. New ones have been committed with what they decided;
// repeats of an unchanged answer are summed per key here and written within a second.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/ledger.hpp"
#include "engine/near_misses.hpp"

namespace semel {

class DecisionLog {
public:
    // `fences`: the ledger that has the claims of fences; mostly the same.
    DecisionLog(Env& env, Ledger& ledger, Ledger& fences);
    ~DecisionLog();
    DecisionLog(const DecisionLog&) = delete;
    DecisionLog& operator=(const DecisionLog&) = delete;

    void committed(const Changes& changes);
    // The same of another store's commit, which has no log: its lines are written here a moment
    // later. Between the two a crash loses lines; what was decided stands.
    void committed_elsewhere(const Changes& changes);

    // Where the sum of a repeat stands that comes again and again, so that it is not looked up each
    // time. It is good until the sums are written.
    struct SumRef {
        DecisionEntry* sum = nullptr;
        std::uint64_t round = 0;
    };
    // One more that was told without a commit. False: it has no sum now, so begin one.
    [[nodiscard]] bool count_again(const SumRef& ref) {
        const bool stands = ref.sum != nullptr && ref.round == round_;
        if (stands) {
            ++ref.sum->count;
        }
        return stands;
    }
    void begin_sum(SumRef& ref, const DecisionEntry& entry);

    // Writes what has been summed; before a stop, so that nothing is missing.
    void flush();

private:
    // By tenant, key, what it led to, and by which rule.
    using SumKey = std::tuple<std::string, std::string, JobId, std::string, bool>;

    [[nodiscard]] static SumKey key_of(const DecisionEntry& entry);
    [[nodiscard]] bool has_sum(const DecisionEntry& entry) const {
        return sums_.contains(key_of(entry));
    }
    DecisionEntry& add(const DecisionEntry& entry);
    // What the store could not take, for later, as far as there is room; the rest is counted.
    void keep(const std::vector<DecisionEntry>& lines);
    void keep_repeat(const DecisionEntry& entry);
    void add_repeats(const Changes& changes);
    void write_lines(std::vector<DecisionEntry> lines);
    void look_for_near_miss(const DecisionEntry& entry);
    // Adds sums that stand in the log to the claims that they are about.
    void count_on_claims(const std::vector<DecisionEntry>& sums);
    void flush_later();
    // Sooner where they are many.
    void flush_in_time();

    Env& env_;
    Ledger& ledger_;
    Ledger& fences_;
    std::map<SumKey, DecisionEntry> sums_;  // ordered, so that equal runs write equal logs
    std::vector<DecisionEntry> unwritten_;  // lines that the store could not take
    std::uint64_t round_ = 1;               // of sums: another whenever they are written
    NearMisses near_misses_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
