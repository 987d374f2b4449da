// The story of a claim: who won, when, by which rule, how many duplicates followed, until when.
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
constexpr int kPageLines = 1000;
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
        telling->tenant, before, kPageLines,
        [telling](const Result<std::vector<LoggedDecision>>& page) {
            if (!page) {
                telling->answer.error(page.error());
                return;
            }
            for (const LoggedDecision& logged : *page) {
                for (Story& story : telling->stories) story.hear(logged.entry);
            }
            const bool is_end = page->size() < static_cast<std::size_t>(kPageLines);
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

void tell_stories(const std::shared_ptr<Telling>& telling, const std::vector<Claim>& rows) {
    for (const Claim& row : rows) {
        if (auto claim = as_of(row, telling->services->node.store().now())) {
            telling->stories.emplace_back(std::move(*claim));
        }
    }
    if (telling->stories.empty()) {
        tell(*telling, true);
    } else {
        hear_log(telling, std::nullopt);
    }
}

// One that is not there is a problem, or no item where a key was looked for.
enum class Missing { refused, skipped };

void explain_one(Call call, const ClaimId& id, Missing missing) {
    const auto telling = begin_telling(call);
    telling->services->node.store().reads().get_claim(
        telling->tenant, id, [telling, missing](const Result<std::optional<Claim>>& found) {
            if (!found) {
                telling->answer.error(found.error());
                return;
            }
            const bool is_there =
                *found && as_of(**found, telling->services->node.store().now()).has_value();
            if (!is_there && missing == Missing::refused) {
                telling->answer.problem(not_found("there is no claim with this id"));
                return;
            }
            tell_stories(telling, is_there ? std::vector{**found} : std::vector<Claim>());
        });
}

void explain_key(Call call, std::optional<std::string> space, std::string key) {
    const auto telling = begin_telling(call);
    telling->services->node.store().reads().find_claims(
        telling->tenant, std::move(space), std::move(key), kMatchesMax,
        [telling](const Result<std::vector<Claim>>& found) {
            if (!found) {
                telling->answer.error(found.error());
                return;
            }
            tell_stories(telling, *found);
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
        explain_key(std::move(call), std::move(space), std::move(*key));
    }
}

}  // namespace semel
