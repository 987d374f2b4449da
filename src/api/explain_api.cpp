// The story of a claim: who won, when, by which rule, how many duplicates followed, until when.
#include <functional>

#include <fmt/format.h>

#include "api/fence_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/fence.hpp"
#include "core/fence_request.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

constexpr int kMatchesMax = 50;
// How much of the log is searched for what it says of a claim: the latest of it, page by page.
constexpr int kPageEntries = 1000;
constexpr int kPagesMax = 20;

// An answer that is put together from a walk over the log.
struct Telling {
    std::shared_ptr<Services> services;
    std::string tenant;
    FenceTokens tokens = FenceTokens::hidden;
    Answer answer;
    std::vector<Story> stories = {};
    int pages = 0;
};

// `is_complete`: the whole log was heard.
void tell(const Telling& telling, bool is_complete) {
    JsonWriter out;
    out.begin_object().begin_array("items");
    for (const Story& story : telling.stories) {
        write_story(out, story, telling.tokens);
    }
    out.end_array().member("complete", is_complete).end_object();
    telling.answer.json(200, out.take());
}

void hear_log(const std::shared_ptr<Telling>& telling, std::optional<std::int64_t> before) {
    telling->services->node.store().reads().list_decisions(
        telling->tenant, before, kPageEntries,
        [telling](const Result<std::vector<LoggedDecision>>& page) {
            if (!page) {
                telling->answer.error(page.error());
                return;
            }
            for (const LoggedDecision& logged : *page) {
                for (Story& story : telling->stories) story.hear(logged.entry);
            }
            const bool is_end = page->size() < static_cast<std::size_t>(kPageEntries);
            if (is_end || ++telling->pages == kPagesMax) {
                tell(*telling, is_end);
            } else {
                hear_log(telling, page->back().sequence);
            }
        });
}

std::shared_ptr<Telling> begin_telling(Call& call) {
    return std::make_shared<Telling>(Telling{.services = call.services,
                                             .tenant = call.caller.tenant,
                                             .tokens = tokens_for(call.caller),
                                             .answer = std::move(call.answer)});
}

// As they stand now, by the clock of the store that has them.
void add_stories(Telling& telling, const Store& store, const std::vector<Claim>& rows) {
    const Time now = store.now();
    for (const Claim& row : rows) {
        if (auto claim = as_of(row, now)) {
            telling.stories.emplace_back(std::move(*claim), now);
        }
    }
}

// Adds that of a claim, if the store has it, and goes on.
void add_story(const std::shared_ptr<Telling>& telling, Store& store, const ClaimId& id,
               std::function<void()> then) {
    store.reads().get_claim(
        telling->tenant, id,
        [telling, &store, then = std::move(then)](const Result<std::optional<Claim>>& found) {
            if (!found) {
                telling->answer.error(found.error());
                return;
            }
            if (*found) add_stories(*telling, store, {**found});
            then();
        });
}

void tell_stories(const std::shared_ptr<Telling>& telling) {
    if (telling->stories.empty()) {
        tell(*telling, true);
    } else {
        hear_log(telling, std::nullopt);
    }
}

// One that is not there is a problem, or no item where a key was looked for.
enum class Missing { refused, skipped };

// A fence may be kept elsewhere: there is looked first.
void explain_one(Call call, const ClaimId& id, Missing missing) {
    const auto telling = begin_telling(call);
    Node& node = telling->services->node;
    const auto end = [telling, missing] {
        if (telling->stories.empty() && missing == Missing::refused) {
            telling->answer.problem(not_found("there is no claim with this id"));
        } else {
            tell_stories(telling);
        }
    };
    add_story(telling, node.fence_store(), id, [telling, &node, id, end] {
        if (telling->stories.empty() && !node.has_one_store()) {
            add_story(telling, node.store(), id, end);
        } else {
            end();
        }
    });
}

void search(const std::shared_ptr<Telling>& telling, std::optional<std::string> space,
            std::string key) {
    Store& store = telling->services->node.store();
    store.reads().find_claims(telling->tenant, std::move(space), std::move(key), kMatchesMax,
                              [telling, &store](const Result<std::vector<Claim>>& found) {
                                  if (!found) {
                                      telling->answer.error(found.error());
                                      return;
                                  }
                                  add_stories(*telling, store, *found);
                                  tell_stories(telling);
                              });
}

// A fence that is kept elsewhere is found by its key, and need not be searched for.
void explain_key(Call call, const std::optional<std::string>& space, const std::string& key) {
    const auto telling = begin_telling(call);
    Node& node = telling->services->node;
    if (space || node.has_one_store() || !is_name(key)) {
        search(telling, space, key);
        return;
    }
    add_story(telling, node.fence_store(), fence_key(telling->tenant, key).claim,
              [telling, space, key] { search(telling, space, key); });
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
        // Their claims are found by the key; the others' have to be searched for.
        const ClaimId fence = fence_key(call.caller.tenant, *key).claim;
        explain_one(std::move(call), fence, Missing::skipped);
    } else {
        explain_key(std::move(call), space, *key);
    }
}

}  // namespace semel
