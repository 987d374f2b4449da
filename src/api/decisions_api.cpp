// The decision log: the answer to every request that met a claim, with the rule that decided.
#include "api/cursor.hpp"
#include "api/decision_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"

namespace semel {
namespace {

// `decisions` may have one more than the page.
std::string page_json(const std::vector<LoggedDecision>& decisions, std::size_t limit,
                      const WalkFields& walk, FenceTokens tokens) {
    JsonWriter out;
    out.begin_object().begin_array("items");
    const std::size_t shown = std::min(decisions.size(), limit);
    for (std::size_t i = 0; i < shown; ++i) {
        write_decision(out, decisions[i].entry, tokens);
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
        [limit, walk = std::move(walk), tokens = tokens_for(call.caller),
         answer = std::move(call.answer)](Result<std::vector<LoggedDecision>> decisions) {
            if (!decisions) {
                answer.error(decisions.error());
                return;
            }
            answer.json(200, page_json(*decisions, static_cast<std::size_t>(limit), walk, tokens));
        });
}

}  // namespace semel
