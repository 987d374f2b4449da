// The story of a claim, of any space: who has its key, since when, by which rule, how many
// duplicates followed, until when it holds. Most of it is in the claim's row; the rest is what the
// decision log says of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/rows.hpp"

namespace semel {

class Story {
public:
    // How many lines are told: the newest. All that are heard count.
    static constexpr std::size_t kLinesMax = 200;

    // REQUIRES: the claim as `as_of` judges it at `now`.
    Story(Claim claim, Time now) : claim_(std::move(claim)), now_(now) {}

    // A line of the decision log, the newest first. One about another claim says nothing, unless it
    // is a near miss that names this one's key.
    void hear(const DecisionEntry& line);

    [[nodiscard]] const Claim& claim() const { return claim_; }
    // The job, the chain or the effect that has the key; empty: none yet, or nobody.
    [[nodiscard]] std::string winner() const;
    // By which it won, in one word; empty: nobody has the key, or the log no longer says.
    [[nodiscard]] std::string rule() const;
    // When it won.
    [[nodiscard]] Time since() const;
    // When the key was first asked for, as far as is known.
    [[nodiscard]] Time first_seen() const;
    // Requests that were told what the winner did, or does.
    [[nodiscard]] std::int64_t duplicates() const;
    // In the past: its owner's lease is over, and the next request takes over. Nothing: as long as
    // its owner is remembered, or until somebody resolves it.
    [[nodiscard]] std::optional<Time> until() const;
    [[nodiscard]] std::string summary() const;  // for people
    [[nodiscard]] const std::vector<DecisionEntry>& lines() const { return lines_; }

private:
    // Whether its row counts its duplicates; actions and chains leave that to the log.
    [[nodiscard]] bool counts_itself() const { return claim_.effect || claim_.space == "api"; }
    [[nodiscard]] std::string lease_words() const;
    [[nodiscard]] bool is_about_winner(const DecisionEntry& line) const;
    [[nodiscard]] bool is_near_miss_of(const DecisionEntry& line) const;
    void add_line(DecisionEntry line);

    Claim claim_;
    Time now_;
    std::vector<DecisionEntry> lines_;
    std::optional<DecisionEntry> won_;   // the line in which the winner was new
    std::optional<Time> earliest_line_;  // of all that were heard
    std::int64_t heard_duplicates_ = 0;
};

}  // namespace semel
