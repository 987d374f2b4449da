// A claim: one row per (tenant, space, key). Whoever inserts it owns the key; everyone else meets
// it.
#pragma once

#include <optional>
#include <string>

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

struct Claim {
    ClaimId id;
    std::string tenant;
    std::string space;     // actions, chains, fences, api, …
    std::string full_key;  // compared in full: a hash alone decides nothing
    ClaimState state = ClaimState::owned;
    Token token = Token::none;
    Time created_at;
    Time window_from;                 // where the current deduplication window starts
    std::optional<Time> expires_at;   // absent: as long as its owner lives
    std::optional<JobId> owner;       // the newest owner
    std::optional<Status> purged_as;  // the owner's last status, once its rows are gone
    std::optional<Hash256> fingerprint;
    std::optional<Receipt> receipt;

    bool operator==(const Claim&) const = default;
};

}  // namespace semel
