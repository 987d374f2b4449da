// The story of a claim: its owner, the time, the rule, the number of duplicates, and the end.
#include <functional>

#include <fmt/format.h>

#include "api/fence_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_request.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

constexpr int kMatchesMax = 50;
// The part of the decision log that is searched for entries about a claim: the newest entries, page
// by page.
constexpr int kPageEntries = 1000;
constexpr int kPagesMax = 20;

// An answer that is put together from a walk over the log.
struct Explanation {
    std::shared_ptr<Services> services;
    std::string tenant;
    FenceTokens tokens = FenceTokens::hidden;
    Answer answer;
    std::vector<Story> stories = {};
    int pages = 0;
};

// `is_complete`: the whole log was searched.
void send(const Explanation& explanation, bool is_complete) {
    JsonWriter out;
    out.begin_object().begin_array("items");
    for (const Story& story : explanation.stories) {
        write_story(out, story, explanation.tokens);
    }
    out.end_array().member("complete", is_complete).end_object();
    explanation.answer.json(200, out.take());
}

void read_log(const std::shared_ptr<Explanation>& explanation, std::optional<std::int64_t> before) {
    explanation->services->node.store().reads().list_decisions(
        explanation->tenant, before, kPageEntries,
        [explanation](const Result<std::vector<LoggedDecision>>& page) {
            if (!page) {
                explanation->answer.error(page.error());
                return;
            }
            for (const LoggedDecision& logged : *page) {
                for (Story& story : explanation->stories) story.hear(logged.entry);
            }
            const bool is_end = page->size() < static_cast<std::size_t>(kPageEntries);
            if (is_end || ++explanation->pages == kPagesMax) {
                send(*explanation, is_end);
            } else {
                read_log(explanation, page->back().sequence);
            }
        });
}

std::shared_ptr<Explanation> begin_explanation(Call& call) {
    return std::make_shared<Explanation>(Explanation{.services = call.services,
                                                     .tenant = call.caller.tenant,
                                                     .tokens = tokens_for(call.caller),
                                                     .answer = std::move(call.answer)});
}

// Adds the stories of claims in their present state, by the clock of their store.
void add_stories(Explanation& explanation, const Store& store, const std::vector<Claim>& rows) {
    const Time now = store.now();
    for (const Claim& row : rows) {
        if (auto claim = as_of(row, now)) {
            explanation.stories.emplace_back(std::move(*claim), now);
        }
    }
}

// Adds the story of a claim, if the store has the claim. Then calls `then`.
void add_story(const std::shared_ptr<Explanation>& explanation, Store& store, const ClaimId& id,
               std::function<void()> then) {
    store.reads().get_claim(
        explanation->tenant, id,
        [explanation, &store, then = std::move(then)](const Result<std::optional<Claim>>& found) {
            if (!found) {
                explanation->answer.error(found.error());
                return;
            }
            if (*found) add_stories(*explanation, store, {**found});
            then();
        });
}

void answer_stories(const std::shared_ptr<Explanation>& explanation) {
    if (explanation->stories.empty()) {
        send(*explanation, true);
    } else {
        read_log(explanation, std::nullopt);
    }
}

// How a missing claim is answered: with a problem, or without an item if a key was searched for.
enum class Missing { refused, skipped };

// Explains one claim. A separate store for fences is queried first.
void explain_one(Call call, const ClaimId& id, Missing missing) {
    const auto explanation = begin_explanation(call);
    Node& node = explanation->services->node;
    const auto end = [explanation, missing] {
        if (explanation->stories.empty() && missing == Missing::refused) {
            explanation->answer.problem(not_found("there is no claim with this id"));
        } else {
            answer_stories(explanation);
        }
    };
    add_story(explanation, node.fence_store(), id, [explanation, &node, id, end] {
        if (explanation->stories.empty() && !node.has_one_store()) {
            add_story(explanation, node.store(), id, end);
        } else {
            end();
        }
    });
}

void search(const std::shared_ptr<Explanation>& explanation, std::optional<std::string> space,
            std::string key) {
    Store& store = explanation->services->node.store();
    store.reads().find_claims(explanation->tenant, std::move(space), std::move(key), kMatchesMax,
                              [explanation, &store](const Result<std::vector<Claim>>& found) {
                                  if (!found) {
                                      explanation->answer.error(found.error());
                                      return;
                                  }
                                  add_stories(*explanation, store, *found);
                                  answer_stories(explanation);
                              });
}

// Explains the claims of a key. A fence in a separate store is read by its key, without a search.
void explain_key(Call call, const std::optional<std::string>& space, const std::string& key) {
    const auto explanation = begin_explanation(call);
    Node& node = explanation->services->node;
    if (space || node.has_one_store() || !is_name(key)) {
        search(explanation, space, key);
        return;
    }
    add_story(explanation, node.fence_store(), fence_key(explanation->tenant, key).claim,
              [explanation, space, key] { search(explanation, space, key); });
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
    } else if (key && (key->empty() || key->size() > kKeyBytesMax || !is_valid_utf8(*key))) {
        reader.fail(fmt::format("`key` must have 1 to {} bytes of UTF-8", kKeyBytesMax));
    }
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    if (id) {
        explain_one(std::move(call), *id, Missing::refused);
    } else if (space == "fences" && is_name(*key)) {
        // Claims of fences are read by their key. Other claims have to be searched for.
        const ClaimId fence = fence_key(call.caller.tenant, *key).claim;
        explain_one(std::move(call), fence, Missing::skipped);
    } else {
        explain_key(std::move(call), space, *key);
    }
}

}  // namespace semel
