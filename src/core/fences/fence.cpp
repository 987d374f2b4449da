#include "core/fences/fence.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

// An unsealed row expires some time after its lease. The expiry is indexed, so heartbeats move it
// only once in this time.
constexpr Millis kExpirySlack = std::chrono::hours(24);
constexpr Millis kRetryAfterMax = std::chrono::seconds(1);

void keep_past_lease(Claim& claim) {
    const Time needed = add_clamped(claim.effect->lease_until, kUnsealedRetention);
    if (!claim.expires_at || *claim.expires_at < needed) {
        claim.expires_at = add_clamped(needed, kExpirySlack);
    }
}

std::optional<Previous> last_sealed(const Claim& claim, Time forgotten_at) {
    if (!claim.effect->sealed_at) {
        return claim.effect->previous;
    }
    return Previous{.effect_id = claim.effect->id,
                    .sealed_at = *claim.effect->sealed_at,
                    .until = add_clamped(forgotten_at, kTombstoneRetention)};
}

// Returns the claim without an owner, with the earlier seal. It keeps its token, so the next is
// larger.
Claim freed(const Claim& claim, std::optional<Previous> previous) {
    Claim row;
    row.id = claim.id;
    row.tenant = claim.tenant;
    row.space = claim.space;
    row.full_key = claim.full_key;
    row.state = ClaimState::free;
    row.token = claim.token;
    row.created_at = claim.created_at;
    row.effect.emplace().previous = std::move(previous);
    return row;
}

}  // namespace

std::optional<Claim> as_of(const Claim& claim, Time now) {
    if (claim.effect && claim.effect->pass) {
        return pass_as_of(claim, now);
    }
    const bool is_settling = claim.effect && claim.effect->settling;
    if (is_settling || !claim.expires_at || now < *claim.expires_at) {
        return claim;
    }
    if (!claim.effect) {
        return std::nullopt;
    }
    std::optional<Previous> previous = last_sealed(claim, *claim.expires_at);
    if (!previous || now >= previous->until) {
        return std::nullopt;
    }
    const Time until = previous->until;
    Claim tombstone = freed(claim, std::move(previous));
    tombstone.expires_at = until;
    return tombstone;
}

bool is_leased(const Claim& claim, Time now) {
    return claim.state == ClaimState::owned && claim.effect && now < claim.effect->lease_until;
}

Millis retry_after(Time until, Time now) {
    return std::clamp(until - now, Millis(1), kRetryAfterMax);
}

bool may_end_hold(const Change<Claim>& change) {
    const auto& [before, after] = change;
    // An uncertain claim holds its source: other versions wait for its end.
    const bool was_held =
        before && before->effect &&
        (before->state == ClaimState::owned || before->state == ClaimState::uncertain);
    if (!was_held) {
        return false;
    }
    return !after || after->state != before->state || !after->effect ||
           after->effect->lease_until < before->effect->lease_until;
}

Claim new_hold(const Claim* before, const std::string& tenant, const FenceRequest& request,
               Time now) {
    Claim claim;
    claim.id = request.claim;
    claim.tenant = tenant;
    claim.space = "fences";
    claim.full_key = request.full_key;
    claim.token = next_token(before != nullptr ? before->token : Token::none, now);
    claim.created_at = now;
    claim.fingerprint = request.fingerprint;
    Effect& effect = claim.effect.emplace();
    effect.lease_until = add_clamped(now, request.lease);
    effect.lease = request.lease;
    effect.ttl = request.ttl;
    effect.source_type = request.source_type;
    effect.source_id = request.source_id;
    effect.version = request.version;
    effect.has_content = request.content.has_value();
    keep_past_lease(claim);
    return claim;
}

// After a takeover the work of the owner before is unknown. So the lease ends instead, and the next
// owner is answered as a takeover too.
FenceCall let_go(const FenceAnswer& answer) {
    FenceCall call{.claim = answer.claim->id, .token = answer.claim->token};
    call.verb = answer.takeover ? FenceVerb::heartbeat : FenceVerb::release;
    if (answer.takeover) {
        call.lease = Millis(0);
    }
    return call;
}

void extend_lease(Claim& claim, std::optional<Millis> lease, Time now) {
    Effect& effect = *claim.effect;
    effect.lease_until = lease ? add_clamped(now, *lease)
                               : std::max(effect.lease_until, add_clamped(now, effect.lease));
    keep_past_lease(claim);
}

void seal_effect(Claim& claim, std::string effect_id, std::optional<std::string> receipt,
                 Time now) {
    Effect& effect = *claim.effect;
    claim.state = ClaimState::sealed;
    claim.expires_at = add_clamped(now, effect.ttl);
    claim.receipt.reset();
    if (receipt) {
        claim.receipt = Receipt{.status = 200, .body = std::move(*receipt)};
    }
    effect.id = std::move(effect_id);
    effect.sealed_at = now;
    effect.previous.reset();
}

void free_effect(Claim& claim, Time now) {
    Claim row = freed(claim, last_sealed(claim, now));
    // Until then a repeat of the call that freed it gets the same answer.
    row.expires_at = add_clamped(now, kUnsealedRetention);
    claim = std::move(row);
}

// ---- its source -------------------------------------------------------------------------------

std::optional<SourceKey> source_of(const Claim& claim) {
    if (!claim.effect || !claim.effect->version) {
        return std::nullopt;
    }
    return SourceKey{claim.tenant, claim.effect->source_type, claim.effect->source_id};
}

const Source* find_source(const Workspace& workspace, const SourceKey& key) {
    const Source* source = workspace.sources.find(key);
    if (source == nullptr) {
        return nullptr;
    }
    const bool is_held = source->holder && workspace.now() < source->holder->until;
    const bool counts = is_held || source->settling || workspace.now() < source->expires_at;
    return counts ? source : nullptr;
}

bool holds_source(const Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    if (!key) {
        return true;
    }
    const Source* source = workspace.sources.find(*key);
    return source != nullptr && source->holder && source->holder->claim == claim.id &&
           source->holder->token == claim.token;
}

bool is_outrun(const Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    const Source* source = key ? find_source(workspace, *key) : nullptr;
    return source != nullptr && source->highest && *claim.effect->version < *source->highest;
}

bool is_source_settling(const Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    const Source* source = key ? workspace.sources.find(*key) : nullptr;
    return source != nullptr && source->settling;
}

void hold_source(Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    if (!key) {
        return;
    }
    const Source* before = find_source(workspace, *key);
    Source source = before != nullptr ? *before : Source{.key = *key};
    source.holder = SourceHolder{claim.id, claim.token, claim.effect->lease_until};
    source.expires_at =
        std::max(source.expires_at, add_clamped(workspace.now(), kTombstoneRetention));
    workspace.sources.put(*key, std::move(source));
}

void seal_source(Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    if (!key) {
        return;
    }
    const Source* before = find_source(workspace, *key);
    Source source = before != nullptr ? *before : Source{.key = *key};
    const std::int64_t version = *claim.effect->version;
    source.highest = std::max(source.highest.value_or(version), version);
    if (holds_source(workspace, claim)) {
        source.holder.reset();
    }
    // Longer than any trace of the key with this version is stored.
    const Time until = add_clamped(*claim.expires_at, kTombstoneRetention);
    source.expires_at = std::max(source.expires_at, until);
    workspace.sources.put(*key, std::move(source));
}

void free_source(Workspace& workspace, const Claim& claim) {
    const auto key = source_of(claim);
    if (!key || !holds_source(workspace, claim)) {
        return;
    }
    if (workspace.sources.find(*key)->highest) {
        workspace.sources.edit(*key).holder.reset();
    } else {
        workspace.sources.erase(*key);  // nothing is left to be known of it
    }
}

}  // namespace semel
