// Story: explains one claim of any space: who owns its key, since when and until when, by which
// rule, and how many duplicates followed.
//
// Most of that is in the claim's row. For the rest pass the entries of the decision log to `hear`,
// newest first. Without them the rule can be empty and duplicates can be missing.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/rows.hpp"

namespace semel {

class Story {
public:
    // The number of entries that `entries` keeps, the newest. The counts include all entries.
    static constexpr std::size_t kEntriesMax = 200;

    // REQUIRES: `claim` is the result of as_of() at `now`.
    Story(Claim claim, Time now) : claim_(std::move(claim)), now_(now) {}

    // Adds an entry of the decision log. Pass the newest entry first. An entry about another claim
    // is ignored, unless it is a near miss that names this claim's key.
    void hear(const DecisionEntry& entry);

    [[nodiscard]] const Claim& claim() const { return claim_; }
    // Returns the id of the job, chain or effect that owns the key. Empty: no owner, or an effect
    // that has no id yet.
    [[nodiscard]] std::string winner() const;
    // Returns the rule by which the winner got the key, in one word. Empty: no owner, or neither
    // row nor log has the rule.
    [[nodiscard]] std::string rule() const;
    // Returns when the winner got the key.
    [[nodiscard]] Time since() const;
    // Returns the time of the first request for the key, as far as row and log know it.
    [[nodiscard]] Time first_seen() const;
    // Returns the number of requests that received the winner's answer.
    [[nodiscard]] std::int64_t duplicates() const;
    // Returns the time until which the key holds. A time in the past means that the owner's lease
    // has ended and the next request takes over. Nullopt means that the key holds as long as its
    // owner is remembered, or until an operator resolves it.
    [[nodiscard]] std::optional<Time> until() const;
    [[nodiscard]] std::string summary() const;  // for people
    [[nodiscard]] const std::vector<DecisionEntry>& entries() const { return entries_; }

private:
    // Returns true if the row counts the duplicates. For actions and chains the log counts them.
    [[nodiscard]] bool counts_itself() const { return claim_.effect || claim_.space == "api"; }
    [[nodiscard]] std::string lease_words() const;
    [[nodiscard]] std::string uncertain_words() const;
    [[nodiscard]] bool is_about_winner(const DecisionEntry& entry) const;
    [[nodiscard]] bool is_near_miss_of(const DecisionEntry& entry) const;
    void add_entry(DecisionEntry entry);

    Claim claim_;
    Time now_;
    std::vector<DecisionEntry> entries_;
    std::optional<DecisionEntry> won_;    // the entry in which the winner was `new`
    std::optional<Time> earliest_entry_;  // of all entries about this claim
    std::int64_t heard_duplicates_ = 0;
};

}  // namespace semel
