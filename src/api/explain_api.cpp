// The story of a claim: who won, when, by which rule, how many duplicates followed, until when.
#include "api/fence_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/fence.hpp"
#include "core/fence_request.hpp"

namespace semel {
namespace {

constexpr int kMatchesMax = 50;
// How much of the log is searched for what it says of a claim: the latest of it.
constexpr int kLinesMax = 1000;

void answer_stories(const std::shared_ptr<Services>& services, const std::string& tenant,
                    std::vector<Claim> claims, const Answer& answer) {
    services->node.store().reads().list_decisions(
        tenant, std::nullopt, kLinesMax,
        [claims = std::move(claims), answer](const Result<std::vector<LoggedDecision>>& log) {
            if (!log) {
                answer.error(log.error());
                return;
            }
            JsonWriter out;
            out.begin_object().begin_array("items");
            for (const Claim& claim : claims) {
                write_story(out, claim, *log);
            }
            answer.json(200, out.end_array().end_object().take());
        });
}

// One that is not there is a problem, or no item where a key was looked for.
enum class Missing { refused, skipped };

void explain_one(Call call, const ClaimId& id, Missing missing) {
    const std::string tenant = call.caller.tenant;
    call.services->node.store().reads().get_claim(
        tenant, id,
        [services = call.services, tenant, missing,
         answer = std::move(call.answer)](const Result<std::optional<Claim>>& found) {
            if (!found) {
                answer.error(found.error());
                return;
            }
            auto claim = *found ? as_of(**found, services->node.store().now()) : std::nullopt;
            if (claim) {
                answer_stories(services, tenant, {std::move(*claim)}, answer);
            } else if (missing == Missing::skipped) {
                answer_stories(services, tenant, {}, answer);
            } else {
                answer.problem(not_found("there is no claim with this id"));
            }
        });
}

void explain_key(Call call, std::optional<std::string> space, std::string key) {
    const std::string tenant = call.caller.tenant;
    call.services->node.store().reads().find_claims(
        tenant, std::move(space), std::move(key), kMatchesMax,
        [services = call.services, tenant,
         answer = std::move(call.answer)](const Result<std::vector<Claim>>& found) {
            if (!found) {
                answer.error(found.error());
                return;
            }
            std::vector<Claim> claims;
            for (const Claim& row : *found) {
                if (auto claim = as_of(row, services->node.store().now())) {
                    claims.push_back(std::move(*claim));
                }
            }
            answer_stories(services, tenant, std::move(claims), answer);
        });
}

}  // namespace

void explain(Call&& call) {
    QueryReader reader(call.request.query);
    const auto claim_id = reader.text("claimId");
    auto space = reader.name("space");
    auto key = reader.text("key");
    const auto id = claim_id ? Hash256::parse(*claim_id) : std::nullopt;
    if (claim_id.has_value() == key.has_value()) {
        reader.fail("give `claimId`, or `key` with or without `space`");
    } else if (claim_id && space) {
        reader.fail("`space` stands beside `key`, not beside `claimId`");
    } else if (claim_id && !id) {
        reader.fail("`claimId` must be 64 hexadecimal digits");
    }
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    if (id) {
        explain_one(std::move(call), *id, Missing::refused);
    } else if (space == "fences") {
        // Their claims are found by the key; the others' have to be searched for.
        const ClaimId fence = fence_key(call.caller.tenant, *key).claim;
        explain_one(std::move(call), fence, Missing::skipped);
    } else {
        explain_key(std::move(call), std::move(space), std::move(*key));
    }
}

}  // namespace semel
