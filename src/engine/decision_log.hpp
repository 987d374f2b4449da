// DecisionLog: sums the repeats of an unchanged answer per key and writes the sums to the log
// within 1 s. New decisions need no write: they are stored by the commit that made them.
//
// If the store refuses the sums, the log keeps up to 50,000 keys and tries again every second.
// Further decisions are reported to Observer::on_unlogged and are missing from the log. A crash
// loses up to 1 s of counts, but no new decision of the main store.
//
// Threads: the engine's executor.
// Lifetime: all arguments of the constructor outlive the log.
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
    // `fences`: the ledger with the claims of fences, by default the same as `ledger`. `receipts`:
    // its counts of served receipts are written with the sums.
    DecisionLog(Env& env, Ledger& ledger, Ledger& fences, ReceiptCache& receipts);
    ~DecisionLog();
    DecisionLog(const DecisionLog&) = delete;
    DecisionLog& operator=(const DecisionLog&) = delete;

    // Reports a commit of the main store to the observer and sums its repeats.
    void committed(const Changes& changes);
    // Does the same for a commit of the fence store, which has no log. A separate commit of the
    // main store writes its log entries afterwards. A crash between the two loses entries, but no
    // decision.
    void committed_elsewhere(const Changes& changes);

    // Counts and sums a repeat that was answered without a commit.
    void repeated(const DecisionEntry& entry);

    // ReceiptCache calls for a flush: receipts were served from memory.
    void served_some();

    // The number of keys in memory above which the log writes early. Each key is a claim to update,
    // and commands that arrive during the update wait for it.
    static constexpr std::size_t kSumsMax = 2000;
    // The number of keys that the entry of a near miss names. Further keys are only counted.
    static constexpr std::size_t kKeysNamed = 5;

    // Writes the sums now. Node calls it before it stops, so that no count is missing.
    void flush();
    // Writes the sums, and adds them to their claims in parallel. All ledgers must still be open.
    void flush_and_count();

private:
    // Repeats of one answer. Another token means that another owner gave the answer.
    struct SumKey {
        std::string tenant;
        std::string key;
        JobId effect_id;  // the action or chain in the answer
        Token token = Token::none;
        std::string rule;
        bool replaced = false;

        auto operator<=>(const SumKey&) const = default;
    };
    struct Sum {
        DecisionEntry entry;
        std::vector<std::string> others = {};  // near_miss: the keys to name
    };

    [[nodiscard]] static SumKey key_of(const DecisionEntry& entry);
    void add(const Sum& more);
    [[nodiscard]] static DecisionEntry entry_of(const Sum& sum);
    [[nodiscard]] static std::vector<DecisionEntry> entries_of(const std::vector<Sum>& sums);
    [[nodiscard]] std::vector<Sum> take_sums();
    // Keeps the sum if there is room, and otherwise reports it as unlogged.
    void keep(const Sum& more);
    void keep(const std::vector<DecisionEntry>& entries);
    void add_repeats(const Changes& changes);
    void write_entries(std::vector<DecisionEntry> entries);
    void find_near_miss(const DecisionEntry& entry);
    // Adds sums that are in the log to the counts of their claims.
    void count_on_claims(const std::vector<Sum>& sums, bool with_served);
    void part_of_served_ended();
    void write_sums(bool with_served);
    void flush_later();
    // Writes at once if there are kSumsMax sums, and otherwise within 1 s.
    void flush_in_time();
    void flush_now();

    Env& env_;
    Ledger& ledger_;
    Ledger& fences_;
    ReceiptCache& receipts_;
    // Commands about served receipts that were submitted and have no answer yet. Until they end,
    // take_served() is not called: the shards fill up, and further repeats go to the store.
    int served_unsaved_ = 0;
    std::map<SumKey, Sum> sums_;            // ordered, so that equal runs write equal logs
    std::vector<DecisionEntry> unwritten_;  // entries that the store refused
    NearMisses near_misses_;
    std::optional<Env::TimerId> timer_;
};

}  // namespace semel
