// DecisionLog: every decision leaves a trace. New ones have been committed with what they decided;
// repeats of an unchanged answer are summed per key here and written within a second.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/ledger.hpp"
#include "engine/near_misses.hpp"

namespace semel {

class DecisionLog {
public:
    DecisionLog(Env& env, Ledger& ledger);
    ~DecisionLog();

    void committed(const Changes& changes);

    // Writes what has been summed; before a stop, so that nothing is missing.
    void flush();

private:
    void add(const DecisionEntry& entry);
    void look_for_near_miss(const DecisionEntry& entry);
    // Adds sums that stand in the log to the claims that they are about.
    void count_on_claims(const std::vector<DecisionEntry>& sums);
    void flush_later();

    Env& env_;
    Ledger& ledger_;
    // By tenant, key, what it led to, and by which rule; ordered, so that equal runs write equal
    // logs.
    std::map<std::tuple<std::string, std::string, JobId, std::string, bool>, DecisionEntry> sums_;
    NearMisses near_misses_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
