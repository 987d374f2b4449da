// Fences: a claim, the calls of its owner, and a look at it.
#include "api/claim_calls.hpp"
#include "api/fence_json.hpp"
#include "api/query_reader.hpp"
#include "api/resources.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_request.hpp"
#include "core/keys/replay.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

Problem no_such_fence() {
    return not_found("there is no fence with this key");
}

// The claim that the path's key means. Nothing: the problem has been answered.
std::optional<ClaimId> read_claim_key(const Call& call) {
    const auto key = net::percent_decode(call.value);
    if (!key || !is_name(*key)) {
        call.answer.problem(
            invalid("a fence's key has 1 to 255 bytes of UTF-8, none of them a control character; "
                    "percent-encode it in the path"));
        return std::nullopt;
    }
    return fence_key(call.caller.tenant, *key).claim;
}

// ---- claiming ---------------------------------------------------------------------------------

void answer_claim(const std::string& key, const Result<Item<FenceAnswer>>& answered,
                  const Settings& settings, const Answer& answer) {
    if (!answered) {
        answer.error(answered.error());
        return;
    }
    const auto* problem = std::get_if<Problem>(&*answered);
    if (problem == nullptr) {
        answer.json(200, fence_answer_json(key, std::get<FenceAnswer>(*answered)));
    } else if (problem->code == ProblemCode::conflict) {
        const HttpProblem http(*problem, settings.fences.conflict_status);
        answer.json(http.status, problem_json(http, Decision::conflict));
    } else {
        answer.problem(*problem);
    }
}

// On the loop, where no token comes or goes between the look and the claim.
void begin_claim(const std::shared_ptr<Services>& services, const std::shared_ptr<OpenPoll>& poll,
                 ClaimFence command, const Answer& answer) {
    if (!services->lets_in(poll->caller)) {
        answer.problem(no_longer_let_in());
        return;
    }
    if (poll->is_gone) {
        answer.error(Error(ErrorCode::stopped, "the caller hung up"));
        return;
    }
    Node& node = services->node;
    Millis& wait = command.request.wait;
    wait = std::max(Millis(0), patience_of(poll->caller, wait, node.store().now()));
    services->polls.add(poll);
    const std::string key = command.request.key;
    const auto id =
        node.claim_fence(std::move(command),
                         [services, poll, key, answer](const Result<Item<FenceAnswer>>& answered) {
                             services->polls.remove(poll);
                             if (answered || services->lets_in(poll->caller)) {
                                 answer_claim(key, answered, services->node.settings(), answer);
                             } else {
                                 answer.problem(no_longer_let_in());
                             }
                         });
    poll->cancel = [&node, id] { node.cancel_fence_claim(id); };
}

// ---- the owner's calls ------------------------------------------------------------------------

void call_fence(Call call, FenceVerb verb) {
    const auto claim = read_claim_key(call);
    const auto body = claim ? call.read_body(json::kAnyNumbers) : std::nullopt;
    if (!body) {
        return;
    }
    auto read = read_fence_call(body->root(), verb, *claim);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    CallFence command{call.caller.tenant, std::get<FenceCall>(std::move(read))};
    submit_call(std::move(call), std::move(command), called_json);
}

// ---- operators --------------------------------------------------------------------------------

void resolve(Call call, const ClaimId& claim) {
    const auto body = call.read_body(json::kAnyNumbers);
    if (!body) {
        return;
    }
    auto read = read_resolution(body->root(), call.caller.tenant, claim);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    submit_call(std::move(call), std::get<ResolveClaim>(std::move(read)), called_json);
}

// ---- a look ---------------------------------------------------------------------------------

struct FenceLookup {
    std::string tenant;
    ClaimId claim;
    FenceTokens tokens = FenceTokens::hidden;
    bool only_sealed = false;
    std::shared_ptr<const SigningKey> signed_with = {};  // null: it is not
};

void find_fence(const std::shared_ptr<Services>& services, const FenceLookup& lookup,
                const Answer& answer) {
    services->node.fence_store().reads().get_claim(
        lookup.tenant, lookup.claim,
        [services, lookup, answer](const Result<std::optional<Claim>>& found) {
            if (!found) {
                Problem problem = to_problem(found.error());
                if (found.error().code() == ErrorCode::damaged_row) {
                    problem.claim_id = lookup.claim.to_hex();  // by which it can be deleted
                }
                answer.problem(problem);
                return;
            }
            const auto now = services->node.fence_store().now();
            const auto judged = *found ? as_of(**found, now) : std::nullopt;
            if (!judged || !judged->effect) {
                answer.problem(no_such_fence());
            } else if (lookup.only_sealed && judged->state != ClaimState::sealed) {
                answer.problem(not_found("nothing is sealed under this key"));
            } else {
                answer.json(200, fence_json(*judged, lookup.tokens, lookup.signed_with.get()));
            }
        });
}

}  // namespace

void claim_fence(Call&& call) {
    const auto body = call.read_body(json::kAnyNumbers);
    if (!body) {
        return;
    }
    auto read =
        read_fence_request(body->root(), call.caller.tenant, call.services->node.settings());
    if (const auto* problem = std::get_if<Problem>(&read)) {
        call.answer.problem(*problem);
        return;
    }
    ClaimFence command{call.caller.tenant, std::get<FenceRequest>(std::move(read))};
    if (auto receipt = call.services->node.find_receipt(command)) {
        call.answer.json(200, fence_answer_json(command.request.key, replayed(std::move(receipt))));
        return;
    }
    const auto poll = open_poll(call);  // one that hung up must not own anything
    call.services->node.post([services = call.services, poll, command = std::move(command),
                              answer = call.answer]() mutable {
        begin_claim(services, poll, std::move(command), answer);
    });
}

void seal_fence(Call&& call) {
    call_fence(std::move(call), FenceVerb::seal);
}

void release_fence(Call&& call) {
    call_fence(std::move(call), FenceVerb::release);
}

void heartbeat_fence(Call&& call) {
    call_fence(std::move(call), FenceVerb::heartbeat);
}

void mark_fence_uncertain(Call&& call) {
    call_fence(std::move(call), FenceVerb::uncertain);
}

void resolve_fence(Call&& call) {
    if (const auto claim = read_claim_key(call)) {
        resolve(std::move(call), *claim);
    }
}

void show_fence(Call&& call) {
    const auto claim = read_claim_key(call);
    if (!claim) {
        return;
    }
    QueryReader reader(call.request.query);
    FenceLookup lookup{
        .tenant = call.caller.tenant, .claim = *claim, .tokens = tokens_for(call.caller)};
    lookup.only_sealed = reader.boolean("sealed").value_or(false);
    const bool is_signed = reader.boolean("signed").value_or(false);
    if (auto problem = reader.problem()) {
        call.answer.problem(*problem);
        return;
    }
    if (!is_signed) {
        find_fence(call.services, lookup, call.answer);
        return;
    }
    lookup.only_sealed = true;
    with_signing_key(call.services, [services = call.services, lookup, answer = call.answer](
                                        Result<std::shared_ptr<const SigningKey>> key) mutable {
        if (!key) {
            answer.error(key.error());
            return;
        }
        lookup.signed_with = *std::move(key);
        find_fence(services, lookup, answer);
    });
}

}  // namespace semel
