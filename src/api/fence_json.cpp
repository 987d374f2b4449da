#include "api/fence_json.hpp"

#include "api/action_json.hpp"
#include "api/base64.hpp"
#include "api/claim_json.hpp"
#include "core/fences/signed_receipt.hpp"
#include "core/json/json.hpp"

namespace semel {
namespace {

// Writes the members that every claim of a sealed key receives, byte for byte.
void write_sealed(JsonWriter& out, const Claim& claim) {
    out.member("effectId", claim.effect->id);
    out.member_raw("receipt", claim.receipt ? std::string_view(claim.receipt->body) : "null");
    write_time(out, "sealedAt", claim.effect->sealed_at);
    write_time(out, "expiresAt", claim.expires_at);
}

void write_previous(JsonWriter& out, const Claim& claim) {
    if (const auto& previous = claim.effect->previous) {
        out.begin_object("previous").member("effectId", previous->effect_id);
        write_time(out, "sealedAt", previous->sealed_at);
        out.end_object();
    }
}

void write_owned(JsonWriter& out, const FenceAnswer& answer) {
    out.member("token", to_int(answer.claim->token));
    write_time(out, "leaseUntil", answer.claim->effect->lease_until);
    if (answer.takeover) {
        out.member("takeover", true);
    }
    write_previous(out, *answer.claim);
}

// REQUIRES: the claim is sealed.
void write_signature(JsonWriter& out, const Claim& claim, const SigningKey& key) {
    const ReceiptStatement statement = statement_of(claim, written_key(claim));
    out.member("tenant", claim.tenant);
    out.member_or_null("fingerprint", claim.fingerprint ? std::optional(claim.fingerprint->to_hex())
                                                        : std::nullopt);
    out.begin_object("signature").member("algorithm", kSignatureAlgorithm);
    out.member("keyId", signing_key_id(key.public_key()));
    out.member("value", base64url(key.sign(statement.text()))).end_object();
}

void write_text_or_null(JsonWriter& out, std::string_view name, const std::string& text) {
    out.key(name);
    text.empty() ? out.null() : out.string(text);
}

}  // namespace

std::string written_key(const Claim& claim) {
    const auto parts = json::Document::parse(claim.full_key);
    const bool is_one =
        claim.space == "fences" && parts && parts->root().is_array() && parts->root().size() == 1;
    if (!is_one) {
        return claim.full_key;
    }
    std::string key;
    for (const json::Value part : parts->root().elements()) {
        key = part.is_string() ? part.as_string() : part.raw();
    }
    return key;
}

std::string fence_answer_json(const std::string& key, const FenceAnswer& answer) {
    JsonWriter out;
    out.begin_object();
    out.member("decision", to_string(answer.decision)).member("key", key);
    if (answer.decision == Decision::new_) {
        write_owned(out, answer);
    } else if (answer.decision == Decision::duplicate) {
        write_sealed(out, *answer.claim);
    } else if (answer.decision == Decision::in_flight) {
        if (answer.holder) {
            write_time(out, "leaseUntil", answer.holder->until);
        }
        if (answer.retry_after) {
            out.member("retryAfterMs", answer.retry_after->count());
        }
    } else {
        out.member_if("lastVersion", answer.last_version);
    }
    return out.end_object().take();
}

std::string called_json(const Claim& claim) {
    JsonWriter out;
    out.begin_object();
    out.member("key", written_key(claim));
    switch (claim.state) {
        case ClaimState::sealed:
            if (claim.effect) {
                write_sealed(out, claim);
            }
            break;
        case ClaimState::owned:
            out.member("token", to_int(claim.token));
            if (claim.effect) {
                write_time(out, "leaseUntil", claim.effect->lease_until);
            }
            break;
        case ClaimState::uncertain:
        case ClaimState::free:
            out.member("claimId", claim.id.to_hex());
            out.member("state", to_string(claim.state));
            out.member("token", to_int(claim.token));
            break;
    }
    return out.end_object().take();
}

std::string fence_json(const Claim& claim, FenceTokens tokens, const SigningKey* signed_with) {
    JsonWriter out;
    out.begin_object();
    out.member("key", written_key(claim));
    out.member("claimId", claim.id.to_hex());
    out.member("state", to_string(claim.state));
    if (tokens == FenceTokens::shown || signed_with != nullptr) {  // a signature covers it
        out.member("token", to_int(claim.token));
    }
    write_time(out, "createdAt", claim.created_at);
    const Effect& effect = *claim.effect;
    if (claim.state == ClaimState::owned) {
        write_time(out, "leaseUntil", effect.lease_until);
    }
    if (claim.state == ClaimState::sealed) {
        write_sealed(out, claim);
    }
    if (!effect.source_type.empty()) out.member("sourceType", effect.source_type);
    if (!effect.source_id.empty()) out.member("sourceId", effect.source_id);
    out.member_if("version", effect.version);
    out.member("duplicates", claim.repeats);
    write_previous(out, claim);
    if (signed_with != nullptr) {
        write_signature(out, claim, *signed_with);
    }
    return out.end_object().take();
}

void write_story(JsonWriter& out, const Story& story, FenceTokens tokens) {
    const Claim& claim = story.claim();
    out.begin_object();
    out.member("claimId", claim.id.to_hex());
    out.member("space", claim.space);
    out.member("key", written_key(claim));
    out.member("state", to_string(claim.state));
    write_text_or_null(out, "effectId", story.winner());
    write_time(out, "since", story.since());
    write_time(out, "firstSeenAt", story.first_seen());
    write_text_or_null(out, "rule", story.rule());
    out.member("duplicates", story.duplicates());
    write_time(out, "until", story.until());
    if (tokens == FenceTokens::shown || !claim.effect) {
        out.member("token", to_int(claim.token));
    } else {
        out.member_null("token");
    }
    if (claim.effect && claim.effect->pass) write_pass(out, claim);
    out.member("summary", story.summary());
    out.begin_array("decisions");
    for (const DecisionEntry& entry : story.entries()) {
        write_decision(out, entry, tokens);
    }
    out.end_array().end_object();
}

}  // namespace semel
