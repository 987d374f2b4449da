// A claim: one row per (tenant, space, key). Whoever inserts it owns the key; everyone else meets
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/job.hpp"

namespace semel {

enum class ClaimState {
    owned,   // a job, chain or effect holds the key
    sealed,  // the answer is final and kept as the receipt
};

// A sealed answer, replayed byte for byte.
struct Receipt {
    int status = 200;
    std::string body;

    bool operator==(const Receipt&) const = default;
};

// A job that holds a key, or held it.
struct Owner {
    JobId job;
    Time window_from;           // where its deduplication window starts
    bool is_successor = false;  // of the owner before it

    bool operator==(const Owner&) const = default;
};

struct Claim {
    ClaimId id;
    std::string tenant;
    std::string space;     // actions, chains, fences, api, …
    std::string full_key;  // compared in full: a hash alone decides nothing
    ClaimState state = ClaimState::owned;
    Token token = Token::none;
    Time created_at;
    std::optional<Time> expires_at;  // absent: as long as its owner lives
    // The newest last, and before it those that were unfinished when it came. Who has ended since
    // is dropped when the next one comes.
    std::vector<Owner> owners;
    std::optional<Status> purged_as;  // the newest owner's last status, once its rows are gone
    std::optional<Hash256> fingerprint;
    std::optional<Receipt> receipt;

    bool operator==(const Claim&) const = default;

    // REQUIRES: there is one.
    [[nodiscard]] const Owner& newest() const { return owners.back(); }
    [[nodiscard]] bool is_newest(const JobId& job) const {
        return !owners.empty() && owners.back().job == job;
    }
    [[nodiscard]] bool is_purged(const JobId& owner) const { return purged_as && is_newest(owner); }
};

}  // namespace semel
