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
#include "engine/receipt_cache.hpp"

namespace semel {

class DecisionLog {
public:
    // `fences`: the ledger that has the claims of fences; mostly the same. `receipts`: what is told
    // without a commit.
    DecisionLog(Env& env, Ledger& ledger, Ledger& fences, ReceiptCache& receipts);
    ~DecisionLog();
    DecisionLog(const DecisionLog&) = delete;
    DecisionLog& operator=(const DecisionLog&) = delete;

    void committed(const Changes& changes);
    // The same of another store's commit, which has no log: its lines are written here a moment
    // later. Between the two a crash loses lines; what was decided stands.
    void committed_elsewhere(const Changes& changes);

    // There are receipts that were told from memory.
    void told_some();

    // Writes what has been summed; before a stop, so that nothing is missing.
    void flush();

private:
    void add(const DecisionEntry& entry);
    void add_repeats(const Changes& changes);
    void write_lines(std::vector<DecisionEntry> lines);
    void look_for_near_miss(const DecisionEntry& entry);
    // Adds sums that stand in the log to the claims that they are about.
    void count_on_claims(const std::vector<DecisionEntry>& sums);
    // As far as there is room.
    void add_again(const std::vector<DecisionEntry>& sums);
    void write_sums(bool with_told);
    void flush_later();
    // Sooner where they are many.
    void flush_in_time();
    void flush_now();

    Env& env_;
    Ledger& ledger_;
    Ledger& fences_;
    ReceiptCache& receipts_;
    bool told_is_on_its_way_ = false;  // one such part at a time: nothing else slows callers down
    // By tenant, key, what it led to, and by which rule; ordered, so that equal runs write equal
    // logs.
    std::map<std::tuple<std::string, std::string, JobId, std::string, bool>, DecisionEntry> sums_;
    std::vector<DecisionEntry> unwritten_;  // lines that the store could not take
    NearMisses near_misses_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
