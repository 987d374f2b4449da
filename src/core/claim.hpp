// A claim: one row per (tenant, space, key). Whoever inserts it owns the key; everyone else meets
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/job.hpp"

namespace semel {

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

// The accepted call that ended a hold, so that its repeat gets the same answer.
struct EndedBy {
    FenceVerb verb = FenceVerb::seal;
    Hash256 content;

    bool operator==(const EndedBy&) const = default;
};

// What was sealed under a key before: all that is left of it.
struct Previous {
    std::string effect_id;
    Time sealed_at;
    Time until;  // when this is forgotten too

    bool operator==(const Previous&) const = default;
};

// What a key is held for where that is neither a job nor a chain: something that its owner does
// outside. Fences have one, and requests that pass a gateway.
struct Effect {
    std::string id;    // as its owner calls it, from the seal on
    std::string rule;  // why its request was new, in one word
    Time lease_until;  // owned: nobody takes over before
    Millis lease{0};   // how far a heartbeat extends it that does not say
    Millis ttl{0};     // how long it is remembered from the seal on
    std::optional<Time> sealed_at;
    std::string source_type;  // where its parts name one
    std::string source_id;
    std::optional<std::int64_t> version;  // of its source, which it holds
    bool has_content = false;             // the first content is kept, in a row of its own
    // Its owner's seal is committed in the owner's own transaction, and on its way; only while
    // owned.
    bool settling = false;
    std::optional<EndedBy> ended_by;
    std::optional<Previous> previous;

    bool operator==(const Effect&) const = default;
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
    std::optional<Effect> effect;
    // Requests that were told what it says already, since it was new; added with the sums of the
    // decision log.
    std::int64_t repeats = 0;

    bool operator==(const Claim&) const = default;

    // REQUIRES: there is one.
    [[nodiscard]] const Owner& newest() const { return owners.back(); }
    [[nodiscard]] bool is_newest(const JobId& job) const {
        return !owners.empty() && owners.back().job == job;
    }
    [[nodiscard]] bool is_purged(const JobId& owner) const { return purged_as && is_newest(owner); }
};

}  // namespace semel
