#include "api/claim_json.hpp"

#include "api/action_json.hpp"
#include "api/fence_json.hpp"
#include "core/json/json.hpp"

namespace semel {
namespace {

void write_key_parts(JsonWriter& out, const Claim& claim) {
    const auto parts = json::Document::parse(claim.full_key);
    out.begin_array("keyParts");
    if (parts && parts->root().is_array()) {
        for (const json::Value part : parts->root().elements()) {
            out.string(part.is_string() ? part.as_string() : part.raw());
        }
    } else {
        out.string(claim.full_key);
    }
    out.end_array();
}

// A fence that is not sealed has no name for its effect yet.
void write_effect_id(JsonWriter& out, std::string_view name, const Effect& effect) {
    out.key(name);
    effect.id.empty() ? out.null() : out.string(effect.id);
}

void write_response(JsonWriter& out, const std::optional<KeptAnswer>& answer) {
    if (!answer) {
        out.member_null("response");
        return;
    }
    out.begin_object("response");
    out.member("status", answer->status);
    out.begin_object("headers");
    for (const AnswerHeader& header : answer->headers) {
        out.member(header.name, header.value);
    }
    out.end_object();
    out.member("bytes", answer->size);
    out.member("retained", answer->has_body);
    out.end_object();
}

}  // namespace

void write_claim_row(JsonWriter& out, const Claim& claim) {
    const Effect& effect = *claim.effect;
    out.begin_object();
    out.member("claimId", claim.id.to_hex());
    out.member("space", claim.space);
    out.member("key", written_key(claim));
    write_key_parts(out, claim);
    out.member("state", to_string(claim.state));
    out.begin_object("owner").member("kind", "effect");
    write_effect_id(out, "id", effect);
    out.end_object();
    write_effect_id(out, "effectId", effect);
    write_time(out, "createdAt", claim.created_at);
    write_time(out, "leaseUntil", effect.lease_until);
    write_time(out, "sealedAt", effect.sealed_at);
    write_time(out, "expiresAt", claim.expires_at);
    out.member("duplicates", claim.repeats);
    if (effect.pass) write_pass(out, claim);
    out.end_object();
}

void write_pass(JsonWriter& out, const Claim& claim) {
    const Pass& pass = *claim.effect->pass;
    write_time(out, "dispatchedAt", pass.dispatched_at);
    out.member("attempt", pass.attempt);
    out.member_or_null("twin", pass.twin ? std::optional(pass.twin->claim.to_hex()) : std::nullopt);
    write_response(out, pass.answer);
}

std::string operated_json(const Claim& claim) {
    if (!claim.effect || !claim.effect->pass || claim.state != ClaimState::sealed) {
        return called_json(claim);
    }
    JsonWriter out;
    out.begin_object();
    out.member("key", written_key(claim));
    out.member("claimId", claim.id.to_hex());
    out.member("state", to_string(claim.state));
    write_effect_id(out, "effectId", *claim.effect);
    write_time(out, "sealedAt", claim.effect->sealed_at);
    write_time(out, "expiresAt", claim.expires_at);
    write_response(out, claim.effect->pass->answer);
    return out.end_object().take();
}

}  // namespace semel
