#include "api/fence_json.hpp"

#include <fmt/format.h>

#include "api/action_json.hpp"
#include "api/base64.hpp"
#include "api/decision_json.hpp"
#include "core/json.hpp"
#include "core/signed_receipt.hpp"

namespace semel {
namespace {

std::string_view to_word(ClaimState state) {
    switch (state) {
        case ClaimState::owned: return "owned";
        case ClaimState::sealed: return "sealed";
        case ClaimState::uncertain: return "uncertain";
        case ClaimState::free: return "free";
    }
    return "";
}

// What every claim of a sealed key is told, byte for byte.
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

// REQUIRES: it is sealed.
void write_signature(JsonWriter& out, const Claim& claim, const SigningKey& key) {
    const ReceiptStatement statement = statement_of(claim, written_key(claim));
    out.member("tenant", claim.tenant);
    out.member_or_null("fingerprint", claim.fingerprint ? std::optional(claim.fingerprint->to_hex())
                                                        : std::nullopt);
    out.begin_object("signature").member("algorithm", kSignatureAlgorithm);
    out.member("keyId", signing_key_id(key.public_key()));
    out.member("value", base64url(key.sign(statement.text()))).end_object();
}

// ---- the story of a claim ---------------------------------------------------------------------

std::vector<const DecisionEntry*> lines_about(const ClaimId& claim,
                                              const std::vector<LoggedDecision>& log) {
    std::vector<const DecisionEntry*> lines;
    for (const LoggedDecision& logged : log) {
        if (logged.entry.claim == claim) {
            lines.push_back(&logged.entry);
        }
    }
    return lines;
}

// The rule by which the present owner won; empty: the log no longer says.
std::string winning_rule(const Claim& claim, const std::vector<const DecisionEntry*>& lines) {
    if (claim.effect) {
        return claim.effect->rule;
    }
    for (const DecisionEntry* line : lines) {
        if (line->decision == Decision::new_) {
            return line->rule;
        }
    }
    return {};
}

// The job, the chain or the effect that has the key; empty: none yet.
std::string winner(const Claim& claim) {
    if (!claim.owners.empty()) {
        return claim.newest().job.to_string();
    }
    return claim.effect ? claim.effect->id : std::string();
}

std::string until_words(const std::optional<Time>& until) {
    return until ? "until " + format_rfc3339(*until) : "as long as its owner is remembered";
}

std::string summary(const Claim& claim) {
    const std::string won = winner(claim);
    const std::string by = won.empty() ? "its owner" : "`" + won + "`";
    switch (claim.state) {
        case ClaimState::owned:
            if (claim.effect) {
                return fmt::format(
                    "An owner with token {} has the key since {}; its lease lasts until {}.",
                    to_int(claim.token), format_rfc3339(claim.created_at),
                    format_rfc3339(claim.effect->lease_until));
            }
            return fmt::format("{} has the key since {}; it holds {}.", by,
                               format_rfc3339(claim.created_at), until_words(claim.expires_at));
        case ClaimState::sealed:
            return fmt::format("The key was sealed with {}; every request is told so {}.", by,
                               until_words(claim.expires_at));
        case ClaimState::uncertain:
            return "Whether its effect happened is not known; it is to be resolved.";
        case ClaimState::free: return "Nobody has the key: the next request is new.";
    }
    return {};
}

std::optional<Time> holds_until(const Claim& claim) {
    if (claim.state == ClaimState::owned && claim.effect) {
        return claim.effect->lease_until;
    }
    return claim.state == ClaimState::free ? std::nullopt : claim.expires_at;
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
            out.member("state", to_word(claim.state));
            out.member("token", to_int(claim.token));
            break;
    }
    return out.end_object().take();
}

std::string fence_json(const Claim& claim, const SigningKey* signed_with) {
    JsonWriter out;
    out.begin_object();
    out.member("key", written_key(claim));
    out.member("claimId", claim.id.to_hex());
    out.member("state", to_word(claim.state));
    out.member("token", to_int(claim.token));
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

void write_story(JsonWriter& out, const Claim& claim, const std::vector<LoggedDecision>& log) {
    const auto lines = lines_about(claim.id, log);
    out.begin_object();
    out.member("claimId", claim.id.to_hex());
    out.member("space", claim.space);
    out.member("key", written_key(claim));
    out.member("state", to_word(claim.state));
    write_text_or_null(out, "effectId", winner(claim));
    write_time(out, "since", claim.created_at);
    write_text_or_null(out, "rule", winning_rule(claim, lines));
    out.member("duplicates", claim.repeats);
    write_time(out, "until", holds_until(claim));
    out.member("token", to_int(claim.token));
    out.member("summary", summary(claim));
    out.begin_array("decisions");
    for (const DecisionEntry* line : lines) {
        write_decision(out, *line);
    }
    out.end_array().end_object();
}

}  // namespace semel
