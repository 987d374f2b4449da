// The story of a claim: who won, when, by which rule, how many duplicates followed, until when.
#include <functional>

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

using Found = std::function<void(std::optional<Claim>)>;

// As it stands now, of whichever store has it; nobody is told of one that is not there.
void look_in(Store& store, const Answer& answer, const std::string& tenant, const ClaimId& id,
             Found found) {
    store.reads().get_claim(
        tenant, id,
        [&store, answer, found = std::move(found)](const Result<std::optional<Claim>>& read) {
            if (!read) {
                answer.error(read.error());
            } else {
                found(*read ? as_of(**read, store.now()) : std::nullopt);
            }
        });
}

void look_for(const std::shared_ptr<Services>& services, const Answer& answer,
              const std::string& tenant, const ClaimId& id, const Found& found) {
    Node& node = services->node;
    if (node.is_shared()) {
        look_in(node.store(), answer, tenant, id, found);
        return;
    }
    look_in(node.fence_store(), answer, tenant, id,
            [services, answer, tenant, id, found](std::optional<Claim> claim) {
                if (claim) {
                    found(std::move(claim));
                } else {
                    look_in(services->node.store(), answer, tenant, id, found);
                }
            });
}

void explain_one(const Call& call, const ClaimId& id, Missing missing) {
    const std::string& tenant = call.caller.tenant;
    look_for(call.services, call.answer, tenant, id,
             [services = call.services, tenant, missing,
              answer = call.answer](std::optional<Claim> claim) {
                 if (claim) {
                     answer_stories(services, tenant, {std::move(*claim)}, answer);
                 } else if (missing == Missing::skipped) {
                     answer_stories(services, tenant, {}, answer);
                 } else {
                     answer.problem(not_found("there is no claim with this id"));
                 }
             });
}

struct Search {
    std::shared_ptr<Services> services;
    std::string tenant;
    std::optional<std::string> space;
    std::string key;
    Answer answer;
};

// In the main store; `claims` are known already.
void search(const Search& asked, std::vector<Claim> claims) {
    asked.services->node.store().reads().find_claims(
        asked.tenant, asked.space, asked.key, kMatchesMax,
        [asked, claims = std::move(claims)](const Result<std::vector<Claim>>& found) mutable {
            if (!found) {
                asked.answer.error(found.error());
                return;
            }
            for (const Claim& row : *found) {
                if (auto claim = as_of(row, asked.services->node.store().now())) {
                    claims.push_back(std::move(*claim));
                }
            }
            answer_stories(asked.services, asked.tenant, std::move(claims), asked.answer);
        });
}

// Claims are searched for by what their callers wrote; a fence that is kept elsewhere is found by
// its key.
void explain_key(const Search& asked) {
    Node& node = asked.services->node;
    if (asked.space || node.is_shared()) {
        search(asked, {});
        return;
    }
    const ClaimId fence = fence_key(asked.tenant, asked.key).claim;
    look_in(node.fence_store(), asked.answer, asked.tenant, fence,
            [asked](std::optional<Claim> claim) {
                std::vector<Claim> claims;
                if (claim) claims.push_back(std::move(*claim));
                search(asked, std::move(claims));
            });
}

}  // namespace

void explain(Call&& call) {
    QueryReader reader(call.request.query);
    const auto claim_id = reader.text("claimId");
    const auto space = reader.name("space");
    const auto key = reader.text("key");
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
        explain_one(call, *id, Missing::refused);
    } else if (space == "fences") {
        // Their claims are found by the key; the others' have to be searched for.
        const ClaimId fence = fence_key(call.caller.tenant, *key).claim;
        explain_one(call, fence, Missing::skipped);
    } else {
        explain_key({call.services, call.caller.tenant, space, *key, call.answer});
    }
}

}  // namespace semel
