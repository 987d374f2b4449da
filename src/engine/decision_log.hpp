// DecisionLog: every decision leaves a trace. New ones have been committed with what they decided;
// repeats of an unchanged answer are summed per key here and written within a second.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
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

    // Keys held in memory before they are written early. Each is a claim to be counted on, and
    // those who ask meanwhile wait behind it.
    static constexpr std::size_t kSumsMax = 2000;
    // Keys that the line of a near miss names; of more it says how many.
    static constexpr std::size_t kKeysNamed = 5;

    // Writes what has been summed; before a stop, so that nothing is missing.
    void flush();
    // The same while all ledgers still take commands: claims get their counts too.
    void flush_and_count();

private:
    // Repeats of one answer. Where the token is another, another owner gave it.
    struct SumKey {
        std::string tenant;
        std::string key;
        JobId effect_id;  // what it led to
        Token token = Token::none;
        std::string rule;
        bool replaced = false;

        auto operator<=>(const SumKey&) const = default;
    };
    struct Sum {
        DecisionEntry line;
        std::vector<std::string> others = {};  // near_miss: the keys to be named
    };

    [[nodiscard]] static SumKey key_of(const DecisionEntry& entry);
    void add(const Sum& more);
    [[nodiscard]] static DecisionEntry line_of(const Sum& sum);
    [[nodiscard]] static std::vector<DecisionEntry> lines_of(const std::vector<Sum>& sums);
    [[nodiscard]] std::vector<Sum> take_sums();
    // As far as there is room; the rest is counted.
    void keep(const Sum& more);
    void keep(const std::vector<DecisionEntry>& lines);
    void add_repeats(const Changes& changes);
    void write_lines(std::vector<DecisionEntry> lines);
    void look_for_near_miss(const DecisionEntry& entry);
    // Adds sums that stand in the log to the claims that they are about.
    void count_on_claims(const std::vector<Sum>& sums, bool with_told);
    void part_of_told_ended();
    void write_sums(bool with_told);
    void flush_later();
    // Sooner where they are many.
    void flush_in_time();
    void flush_now();

    Env& env_;
    Ledger& ledger_;
    Ledger& fences_;
    ReceiptCache& receipts_;
    // Commands about receipts that were told from memory. No more of them are taken before these
    // end: nothing else slows their callers down.
    int told_on_its_way_ = 0;
    std::map<SumKey, Sum> sums_;            // ordered, so that equal runs write equal logs
    std::vector<DecisionEntry> unwritten_;  // lines that the store could not take
    NearMisses near_misses_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
