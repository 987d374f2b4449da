// The decision log: what every request that met a claim was told, and by which rule.
#include "api/action_json.hpp"
#include "api/cursor.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"

namespace semel {
namespace {

void write_decision(JsonWriter& out, const DecisionEntry& entry) {
    out.begin_object();
    write_time(out, "at", entry.at);
    out.member("tenant", entry.tenant);
    out.member("surface", entry.surface);
    out.member("type", entry.type);
    out.member("decision", to_string(entry.decision));
    out.member("rule", entry.rule);
    out.member("count", entry.count);
    out.member("replaced", entry.replaced);
    out.member("effectId", entry.effect_id.to_string());
    out.member("token", to_int(entry.token));
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

// `decisions` may have one more than the page.
std::string page_json(const std::vector<LoggedDecision>& decisions, std::size_t limit,
                      const WalkFields& walk) {
    JsonWriter out;
    out.begin_object().begin_array("items");
    const std::size_t shown = std::min(decisions.size(), limit);
    for (std::size_t i = 0; i < shown; ++i) {
        write_decision(out, decisions[i].entry);
    }
    out.end_array();
    if (shown < decisions.size()) {
        out.member("nextCursor", make_cursor(walk, decisions[shown - 1].sequence));
    } else {
        out.member_null("nextCursor");
    }
    out.end_object();
    return out.take();
}

}  // namespace

void list_decisions(Call&& call) {
    QueryReader reader(call.request.query);
    const int limit = read_limit(reader);
    const auto cursor = reader.text("cursor");
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    WalkFields walk = {"decisions", call.caller.tenant};
    std::optional<std::int64_t> before;
    if (cursor) {
        auto read = read_number_cursor(*cursor, walk);
        if (auto* problem = std::get_if<Problem>(&read)) {
            call.answer.problem(*problem);
            return;
        }
        before = std::get<std::int64_t>(read);
    }
    call.services->node.store().reads().list_decisions(
        call.caller.tenant, before, limit + 1,
        [limit, walk = std::move(walk),
         answer = std::move(call.answer)](Result<std::vector<LoggedDecision>> decisions) {
            if (!decisions) {
                answer.error(decisions.error());
                return;
            }
            answer.json(200, page_json(*decisions, static_cast<std::size_t>(limit), walk));
        });
}

}  // namespace semel
