#include "core/passes/pass.hpp"

#include <algorithm>

#include "core/passes/duplicate_message.hpp"

namespace semel {
namespace {

constexpr std::string_view kKeyPrefix = "key.";
constexpr std::string_view kGuardPrefix = "guard.";

bool has_ended_so(const Claim& claim, const PassCall& call, const Hash256& content) {
    return claim.effect->ended_by == EndedBy{verb_of(call.end), content};
}

void renew_lease(Claim& claim, Time now) {
    Effect& effect = *claim.effect;
    effect.lease_until = std::max(effect.lease_until, add_clamped(now, effect.lease));
    claim.expires_at = effect.lease_until;
}

// The fields that a new row has whether its request is sent or met a guard's answer.
Claim new_row(const std::string& tenant, std::string space, const AskedClaim& asked, Token token,
              Time created_at) {
    Claim claim;
    claim.id = asked.claim;
    claim.tenant = tenant;
    claim.space = std::move(space);
    claim.full_key = asked.full_key;
    claim.token = token;
    claim.created_at = created_at;
    Effect& effect = claim.effect.emplace();
    effect.ttl = asked.ttl;
    effect.pass.emplace().remembered_until = add_clamped(created_at, asked.ttl);
    return claim;
}

void keep_content(Claim& claim, const PassRequest& request) {
    claim.fingerprint = request.fingerprint;
    claim.effect->has_content = request.content.has_value();
}

}  // namespace

PassState judge(const Claim& claim, Time now) {
    if (!claim.effect || !claim.effect->pass || claim.state == ClaimState::free) {
        return PassState::nothing;
    }
    const Pass& pass = *claim.effect->pass;
    const bool is_over = now >= pass.remembered_until;
    switch (claim.state) {
        case ClaimState::sealed: return is_over ? PassState::nothing : PassState::sealed;
        case ClaimState::uncertain:
            return is_over && is_guard(claim) ? PassState::nothing : PassState::uncertain;
        default: break;
    }
    if (now < claim.effect->lease_until) {
        return pass.dispatched_at ? PassState::sent : PassState::held;
    }
    if (pass.dispatched_at) {
        return is_over && is_guard(claim) ? PassState::nothing : PassState::uncertain;
    }
    return is_over ? PassState::nothing : PassState::lapsed;
}

bool can_be_owned(PassState state) {
    return state == PassState::nothing || state == PassState::lapsed;
}

std::optional<Claim> pass_as_of(const Claim& claim, Time now) {
    const PassState state = judge(claim, now);
    if (state == PassState::nothing) {
        return std::nullopt;
    }
    Claim judged = claim;
    if (state == PassState::uncertain) {
        doubt_pass(judged);
    }
    return judged;
}

std::string key_space(std::string_view route) {
    return std::string(kKeyPrefix).append(route);
}

std::string guard_space(std::string_view route) {
    return std::string(kGuardPrefix).append(route);
}

bool is_guard(const Claim& claim) {
    return claim.space.starts_with(kGuardPrefix);
}

std::string route_of(const Claim& claim) {
    return route_of_space(claim.space);
}

std::string route_of_space(std::string_view space) {
    for (const std::string_view prefix : {kKeyPrefix, kGuardPrefix}) {
        if (space.starts_with(prefix)) return std::string(space.substr(prefix.size()));
    }
    return {};
}

bool is_admitted_by(const Claim& claim, const Uuid& effect, Time now) {
    const PassState state = judge(claim, now);
    const bool is_owned = state == PassState::held || state == PassState::sent;
    return is_owned && claim.effect->pass->admitted_by == effect;
}

bool has_other_content(const PassRequest& request, const Claim& claim) {
    return claim.fingerprint && request.fingerprint && *claim.fingerprint != *request.fingerprint;
}

bool are_twins(const Claim& one, const Claim& other) {
    const auto names = [](const Claim& claim, const Claim& twin) {
        return claim.effect && claim.effect->pass &&
               claim.effect->pass->twin == Twin{twin.id, twin.token};
    };
    return names(one, other) && names(other, one);
}

Claim admit_pass(const std::string& tenant, std::string space, const AskedClaim& asked,
                 const PassRequest& request, const Claim* retried, Token token, Time now) {
    Claim claim = new_row(tenant, std::move(space), asked, token,
                          retried != nullptr ? retried->created_at : now);
    if (!is_guard(claim)) {
        keep_content(claim, request);
    }
    Effect& effect = *claim.effect;
    effect.lease = request.lease;
    Pass& pass = *effect.pass;
    pass.effect = request.effect;
    pass.admitted_by = request.effect;
    pass.sent_key = request.sent_key;
    pass.principal = request.principal;
    if (retried != nullptr) {
        const Pass& first = *retried->effect->pass;
        pass.effect = first.effect;
        pass.sent_key = first.sent_key;
        pass.attempt = first.attempt + 1;
        pass.remembered_until = first.remembered_until;
        pass.dispatched_at = first.dispatched_at;
    }
    effect.id = pass.effect.to_string();
    if (request.dispatched && !pass.dispatched_at) {
        pass.dispatched_at = now;
    }
    renew_lease(claim, now);
    return claim;
}

void dispatch_pass(Claim& claim, Time now) {
    Pass& pass = *claim.effect->pass;
    if (!pass.dispatched_at) {
        pass.dispatched_at = now;
    }
    renew_lease(claim, now);
}

void beat_pass(Claim& claim, Time now) {
    renew_lease(claim, now);
}

void seal_pass(Claim& claim, KeptAnswer answer, Time now) {
    Effect& effect = *claim.effect;
    Pass& pass = *effect.pass;
    if (!is_guard(claim) && now >= pass.remembered_until) {
        pass.remembered_until = add_clamped(now, effect.ttl);
    }
    claim.state = ClaimState::sealed;
    claim.expires_at = pass.remembered_until;
    effect.sealed_at = now;
    pass.answer = std::move(answer);
}

void doubt_pass(Claim& claim) {
    claim.state = ClaimState::uncertain;
    claim.expires_at.reset();
    if (is_guard(claim)) {
        claim.expires_at = claim.effect->pass->remembered_until;
    }
}

void free_pass(Claim& claim, Time until) {
    claim.state = ClaimState::free;
    claim.expires_at = until;
    claim.fingerprint.reset();
    claim.repeats = 0;
    claim.effect = Effect{};
}

std::string note_about(const Claim& guard, const PassRequest& request, Time now) {
    const Effect& effect = *guard.effect;
    const Time sent_at = effect.pass->dispatched_at.value_or(*effect.sealed_at);
    return fill_age(request.duplicate_message, now - sent_at);
}

Claim borrow_answer(const std::string& tenant, const PassRequest& request, const Claim& guard,
                    Token token, Time now) {
    Claim claim = new_row(tenant, key_space(request.route), *request.key, token, now);
    keep_content(claim, request);
    const Effect& origin = *guard.effect;
    Effect& effect = *claim.effect;
    effect.id = origin.id;
    effect.rule = "guard";
    Pass& pass = *effect.pass;
    pass.effect = origin.pass->effect;
    pass.admitted_by = request.effect;
    pass.dispatched_at = origin.pass->dispatched_at;
    pass.attempt = origin.pass->attempt;
    pass.principal = request.principal;
    KeptAnswer answer = *origin.pass->answer;
    answer.note = note_about(guard, request, now);
    answer.is_borrowed = true;
    seal_pass(claim, std::move(answer), now);
    return claim;
}

SettleEffect settle_effect(const Claim& claim, const PassCall& call, const Hash256& content) {
    if (!claim.effect || claim.token != call.token) {
        return SettleEffect::stale;
    }
    if (has_ended_so(claim, call, content)) {
        return SettleEffect::repeated;
    }
    if (!claim.effect->pass) {
        return SettleEffect::stale;
    }
    switch (claim.state) {
        case ClaimState::owned: {
            const bool can_end =
                call.end == PassEnd::release || claim.effect->pass->dispatched_at.has_value();
            return can_end ? SettleEffect::applied : SettleEffect::stale;
        }
        case ClaimState::uncertain:
            return call.end == PassEnd::doubt ? SettleEffect::repeated : SettleEffect::applied;
        default: return SettleEffect::stale;
    }
}

FenceVerb verb_of(PassEnd end) {
    switch (end) {
        case PassEnd::seal: return FenceVerb::seal;
        case PassEnd::release: return FenceVerb::release;
        case PassEnd::doubt: return FenceVerb::uncertain;
    }
    return FenceVerb::seal;
}

Hash256 content_of(PassEnd end, const std::optional<KeptAnswer>& answer) {
    FieldHasher hasher("semel.pass.settle.v1");
    hasher.field(to_string(verb_of(end)));
    if (end == PassEnd::seal && answer) {
        hasher.field(std::to_string(answer->status)).field(std::to_string(answer->size));
        hasher.field(answer->has_body ? "body" : "");
        for (const AnswerHeader& header : answer->headers) {
            hasher.field(header.name).field(header.value);
        }
    }
    return hasher.finish();
}

}  // namespace semel
