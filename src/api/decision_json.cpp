#include "api/decision_json.hpp"

#include "api/action_json.hpp"

namespace semel {
namespace {

// Writes the effect. A fence that is not sealed has none yet.
void write_effect(JsonWriter& out, const DecisionEntry& entry) {
    if (!entry.effect.empty()) {
        out.string(entry.effect);
    } else if (entry.effect_id != Uuid{}) {
        out.string(entry.effect_id.to_string());
    } else {
        out.null();
    }
}

}  // namespace

void write_decision(JsonWriter& out, const DecisionEntry& entry, FenceTokens tokens) {
    out.begin_object();
    write_time(out, "at", entry.at);
    out.member("tenant", entry.tenant);
    out.member("surface", entry.surface);
    out.member("type", entry.type);
    out.member("decision", to_string(entry.decision));
    out.member("rule", entry.rule);
    out.member("count", entry.count);
    out.member("replaced", entry.replaced);
    out.key("effectId");
    write_effect(out, entry);
    if (tokens == FenceTokens::hidden && entry.surface == "fences") {
        out.member_null("token");
    } else {
        out.member("token", to_int(entry.token));
    }
    out.key("key");
    if (entry.key.empty()) {
        out.null();
    } else {
        out.string(entry.key);
    }
    out.key("claimId");
    if (entry.claim) {
        out.string(entry.claim->to_hex());
    } else {
        out.null();
    }
    out.member("sourceType", entry.source_type);
    out.member("sourceId", entry.source_id);
    if (!entry.reason.empty()) {
        out.member("reason", entry.reason);
    }
    out.end_object();
}

}  // namespace semel
