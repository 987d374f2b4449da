#include "core/keys/story.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/fences/fence.hpp"
#include "core/keys/near_keys.hpp"

namespace semel {
namespace {

std::string until_words(const std::optional<Time>& until) {
    return until ? "until " + format_rfc3339(*until) : "as long as its owner is remembered";
}

}  // namespace

bool Story::is_about_winner(const DecisionEntry& entry) const {
    return !claim_.owners.empty() && entry.effect_id == claim_.newest().job;
}

// Returns true if the entry reports that its content came later under this claim's key.
bool Story::is_near_miss_of(const DecisionEntry& entry) const {
    const bool may_be = entry.decision == Decision::near_miss && entry.tenant == claim_.tenant &&
                        entry.surface == claim_.space &&
                        entry.reason.find(claim_.full_key) != std::string::npos;
    const auto named = may_be ? read_near_keys(entry.reason) : std::nullopt;
    return named && std::ranges::find(named->keys, claim_.full_key) != named->keys.end();
}

void Story::add_entry(DecisionEntry entry) {
    if (entries_.size() < kEntriesMax) {
        entries_.push_back(std::move(entry));
    }
}

void Story::hear(const DecisionEntry& entry) {
    if (entry.claim != claim_.id && entry.other_claim != claim_.id) {
        // A near miss is described from this key's side. The entry's time is that of another key,
        // so it does not show when this key was first seen.
        if (is_near_miss_of(entry)) {
            DecisionEntry near_miss = entry;
            near_miss.claim = claim_.id;
            near_miss.key = claim_.full_key;
            near_miss.reason = entry.key;
            near_miss.count = 1;
            add_entry(std::move(near_miss));
        }
        return;
    }
    earliest_entry_ = std::min(earliest_entry_.value_or(entry.at), entry.at);
    if (is_about_winner(entry)) {
        heard_duplicates_ += entry.decision == Decision::duplicate ? entry.count : 0;
        if (entry.decision == Decision::new_) {
            won_ = entry;
        }
    }
    add_entry(entry);
}

std::string Story::winner() const {
    if (!claim_.owners.empty()) {
        return claim_.newest().job.to_string();
    }
    return claim_.effect ? claim_.effect->id : std::string();
}

std::string Story::rule() const {
    if (claim_.state == ClaimState::free) {
        return {};
    }
    if (claim_.effect) {
        return claim_.effect->rule;
    }
    if (claim_.space == "api") {
        return "first";  // no other request ever has the key
    }
    if (won_) {
        return won_->rule;
    }
    if (claim_.owners.empty()) {
        return {};
    }
    // Without a log entry, the row shows the rule.
    if (claim_.newest().is_successor) {
        return "successor";
    }
    if (claim_.space == "chains") {
        return "key";
    }
    const bool is_first =
        claim_.owners.size() == 1 && claim_.newest().window_from == claim_.created_at;
    return is_first ? "first" : "";
}

Time Story::since() const {
    if (won_) {
        return won_->at;
    }
    return claim_.owners.empty() ? claim_.created_at : claim_.newest().window_from;
}

Time Story::first_seen() const {
    Time first = std::min(claim_.created_at, earliest_entry_.value_or(claim_.created_at));
    if (claim_.effect && claim_.effect->previous) {
        first = std::min(first, claim_.effect->previous->sealed_at);
    }
    return first;
}

std::int64_t Story::duplicates() const {
    return counts_itself() ? claim_.repeats : heard_duplicates_;
}

std::optional<Time> Story::until() const {
    if (claim_.state == ClaimState::owned && claim_.effect) {
        return claim_.effect->lease_until;
    }
    return claim_.state == ClaimState::free ? std::nullopt : claim_.expires_at;
}

// REQUIRES: the claim has an effect and an owner.
std::string Story::lease_words() const {
    const std::string since_when = format_rfc3339(since());
    const std::string until_when = format_rfc3339(claim_.effect->lease_until);
    if (claim_.effect->settling) {
        return fmt::format("An owner has had the key since {}; its seal is on its way.",
                           since_when);
    }
    if (is_leased(claim_, now_)) {
        return fmt::format("An owner has the key since {}; its lease lasts until {}.", since_when,
                           until_when);
    }
    return fmt::format(
        "An owner has had the key since {}; its lease ended at {}, and the next request takes "
        "over.",
        since_when, until_when);
}

std::string Story::uncertain_words() const {
    const auto& pass = claim_.effect ? claim_.effect->pass : std::nullopt;
    if (!pass) {
        return "Whether its effect happened is not known; it is to be resolved.";
    }
    const std::string sent = pass->dispatched_at ? format_rfc3339(*pass->dispatched_at) : "";
    return fmt::format(
        "A request was sent to the upstream at {}, and its answer is not known. Nothing is sent "
        "again {}; ask the upstream and resolve the claim.",
        sent,
        claim_.expires_at ? "before " + format_rfc3339(*claim_.expires_at)
                          : std::string("before that"));
}

std::string Story::summary() const {
    const std::string won = winner();
    const std::string by = won.empty() ? "its answer" : "`" + won + "`";
    switch (claim_.state) {
        case ClaimState::owned:
            if (claim_.effect) {
                return lease_words();
            }
            return fmt::format("{} has the key since {}; it holds {}.", by, format_rfc3339(since()),
                               until_words(claim_.expires_at));
        case ClaimState::sealed:
            return fmt::format("The key was sealed with {}; every request is told so {}.", by,
                               until_words(claim_.expires_at));
        case ClaimState::uncertain: return uncertain_words();
        case ClaimState::free: return "Nobody has the key: the next request is new.";
    }
    return {};
}

}  // namespace semel
