// Claims as operators see them: the list of uncertain claims, and the calls that resolve and free a
// claim of any space.
#include <fmt/format.h>

#include "api/claim_calls.hpp"
#include "api/claim_json.hpp"
#include "api/page_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_request.hpp"
#include "core/names.hpp"
#include "core/passes/found_answer.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

// ---- the list -----------------------------------------------------------------------------------

void read_state(QueryReader& reader) {
    const auto state = reader.text("state");
    if (!state) {
        reader.fail("give `state=uncertain`: only uncertain claims are listed");
    } else if (*state != to_string(ClaimState::uncertain)) {
        reader.fail(
            "`state` must be uncertain: claims in another state are not listed. Ask "
            "GET /v1/explain for one of them");
    }
}

// Returns the problem of a list that would leave out what it asks for.
std::optional<Problem> refusal_of(const Node& node, const std::optional<std::string>& space) {
    if (space == "fences" && !node.has_one_store()) {
        return invalid(
            "fences are in Redis here, which has no list of them; ask GET /v1/fences/KEY "
            "for one fence");
    }
    return std::nullopt;
}

// The rows as readers see them at the time of the query.
std::vector<Claim> shown(const std::vector<Claim>& rows, Time now) {
    std::vector<Claim> claims;
    claims.reserve(rows.size());
    for (const Claim& row : rows) {
        auto claim = as_of(row, now);
        if (claim && claim->effect) claims.push_back(*std::move(claim));
    }
    return claims;
}

// ---- resolving and freeing ----------------------------------------------------------------------

std::optional<ClaimId> read_claim_id(const Call& call) {
    auto id = Hash256::parse(call.value);
    if (!id) {
        call.answer.problem(not_found("there is no claim with this id"));
    }
    return id;
}

AnswerRule rule_of(const Services& services, const std::string& route) {
    const auto& rules = services.options.stored_answers;
    const auto found = rules.find(route);
    return found == rules.end() ? AnswerRule() : found->second;
}

// Fits the command to the request of the gateway that it is about. Returns the problem of an answer
// that its route cannot keep.
std::optional<Problem> fit(ResolveClaim& command, const Claim& claim, const Services& services) {
    const auto& twin = claim.effect->pass->twin;
    if (twin) command.twin = twin->claim;
    return command.answer ? fit_answer(*command.answer, rule_of(services, route_of(claim)))
                          : std::nullopt;
}
std::optional<Problem> fit(DeleteClaim& command, const Claim& claim, const Services& /*services*/) {
    const auto& twin = claim.effect->pass->twin;
    if (twin) command.twin = twin->claim;
    return std::nullopt;
}

// Reads the claim, so that the command names the other claim of its request, and submits the
// command. Claims of the gateway are in the main store.
template <typename Command>
void submit_with_twin(Call call, Command command) {
    Store& store = call.services->node.store();
    const std::string tenant = command.tenant;
    const ClaimId id = command.claim;
    store.reads().get_claim(
        tenant, id,
        [call = std::make_shared<Call>(std::move(call)),
         command = std::move(command)](const Result<std::optional<Claim>>& found) mutable {
            if (!found) {
                call->answer.error(found.error());
                return;
            }
            if (*found && (*found)->effect && (*found)->effect->pass) {
                if (auto problem = fit(command, **found, *call->services)) {
                    call->answer.problem(*problem);
                    return;
                }
            }
            submit_call(std::move(*call), std::move(command), operated_json);
        });
}

}  // namespace

void list_claims(Call&& call) {
    QueryReader reader(call.request.query);
    read_state(reader);
    UncertainQuery query;
    query.tenant = call.caller.tenant;
    query.space = reader.name("space");
    WalkFields walk = {"claims", query.tenant, query.space ? "in" : "", query.space.value_or("")};
    const auto page = read_claim_page(reader, walk);
    if (const auto* problem = std::get_if<Problem>(&page)) {
        call.answer.problem(*problem);
        return;
    }
    const Node& node = call.services->node;
    if (auto problem = refusal_of(node, query.space)) {
        call.answer.problem(*problem);
        return;
    }
    const auto& [limit, before] = std::get<ClaimPage>(page);
    query.before = before;
    query.limit = limit + 1;
    Store& store = call.services->node.store();
    query.now = store.now();
    store.reads().list_uncertain_claims(
        query, [limit = limit, now = query.now, walk = std::move(walk),
                answer = std::move(call.answer)](const Result<std::vector<Claim>>& rows) {
            if (!rows) {
                answer.error(rows.error());
                return;
            }
            answer.json(200,
                        page_json(shown(*rows, now), limit, walk, write_claim_row, position_of));
        });
}

void resolve_claim(Call&& call) {
    const auto claim = read_claim_id(call);
    const auto body = claim ? call.read_body(json::kAnyNumbers) : std::nullopt;
    if (!body) {
        return;
    }
    auto read = read_resolution(body->root(), call.caller.tenant, *claim);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    submit_with_twin(std::move(call), std::get<ResolveClaim>(std::move(read)));
}

void delete_claim(Call&& call) {
    const auto claim = read_claim_id(call);
    if (!claim) {
        return;
    }
    QueryReader reader(call.request.query);
    const auto key = reader.text("key");
    const auto reason = reader.text("reason");
    if (!reason || reason->empty()) {
        reader.fail("`reason` is required: the decision log keeps it");
    } else if (reason->size() > kErrorBytesMax) {
        reader.fail("`reason` is too long");
    } else if (!is_valid_utf8(*reason)) {
        reader.fail("`reason` must be UTF-8");
    }
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    DeleteClaim command{
        .tenant = call.caller.tenant, .claim = *claim, .reason = *reason, .key = key.value_or("")};
    submit_with_twin(std::move(call), std::move(command));
}

}  // namespace semel
