// Claim: the row that decides about one key. There is one per (tenant, space, key).
//
// The request that inserts the claim owns the key. Every other request with that key finds the
// claim and gets its answer. The row outlives the rows of its owners, until its retention has
// passed. All types here are plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/actions/job.hpp"
#include "core/passes/pass_row.hpp"

namespace semel {

// A sealed answer, replayed byte for byte.
struct Receipt {
    int status = 200;
    std::string body;

    bool operator==(const Receipt&) const = default;
};

// A job that owns a key, or owned it.
struct Owner {
    JobId job;
    Time window_from;           // start of its deduplication window
    bool is_successor = false;  // of the owner before it

    bool operator==(const Owner&) const = default;
};

// The accepted call that ended a hold, so that its repeat gets the same answer.
struct EndedBy {
    FenceVerb verb = FenceVerb::seal;
    Hash256 content;

    bool operator==(const EndedBy&) const = default;
};

// An earlier seal of a key, after its claim has expired. Nothing else of it is stored.
struct Previous {
    std::string effect_id;
    Time sealed_at;
    Time until;  // then this is forgotten too

    bool operator==(const Previous&) const = default;
};

// The effect that a claim protects: the owner's work outside Semel. Claims of fences and of passes
// have an effect. Claims of jobs and chains have owners instead.
struct Effect {
    std::string id;    // the owner's name for it, from the seal on
    std::string rule;  // why its request was new, in one word
    Time lease_until;  // owned: no other caller can take over before
    Millis lease{0};   // for a heartbeat that names no lease
    Millis ttl{0};     // retention, counted from the seal
    std::optional<Time> sealed_at;
    std::string source_type;  // empty if the key's parts name no source
    std::string source_id;
    std::optional<std::int64_t> version;  // of its source, which it holds
    bool has_content = false;             // the first content is stored, in a separate row
    // True while a seal is committed in the owner's transaction, but not yet applied. Only while
    // owned.
    bool settling = false;
    std::optional<EndedBy> ended_by;
    std::optional<Previous> previous;
    std::optional<Pass> pass;  // of a request of the gateway

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
    std::optional<Time> expires_at;  // absent: remembered as long as its owner
    // The newest owner is last. Before it are the owners that were unfinished when it was added.
    // For chains the newest ended ones too (core/chains/chain_key.hpp).
    std::vector<Owner> owners;
    std::optional<Status> purged_as;  // the newest owner's final status, once its rows are deleted
    std::optional<Hash256> fingerprint;
    std::optional<Receipt> receipt;
    std::optional<Effect> effect;
    // Requests that got the stored answer since the claim was new. The decision log adds its sums.
    std::int64_t repeats = 0;

    bool operator==(const Claim&) const = default;

    // REQUIRES: the claim has an owner.
    [[nodiscard]] const Owner& newest() const { return owners.back(); }
    [[nodiscard]] bool is_newest(const JobId& job) const {
        return !owners.empty() && owners.back().job == job;
    }
    [[nodiscard]] bool is_purged(const JobId& owner) const { return purged_as && is_newest(owner); }
};

}  // namespace semel
