// Decisions for fences: which request owns the key, waits for it, or gets the stored answer.
#include <utility>

#include "core/decide.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_trace.hpp"
#include "core/keys/content_diff.hpp"
#include "core/keys/replay.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

// An answer, and the rule that decided it, in one word.
struct Met {
    Item<FenceAnswer> answer;
    std::string_view rule;
};

Problem content_conflict(const Workspace& workspace, const Claim& claim,
                         const FenceRequest& request) {
    Problem problem{.code = ProblemCode::conflict,
                    .detail =
                        "this key was claimed with other content; nothing was changed. Send the "
                        "same content, or another key",
                    .claim_id = claim.id.to_hex(),
                    .effect_id = claim.effect->id};
    add_content_diff(problem, workspace, request.claim, request.content);
    return problem;
}

Problem unresolved(const Claim& claim) {
    return {.code = ProblemCode::uncertain,
            .detail =
                "the effect under this key may or may not have happened; find out, and resolve it",
            .claim_id = claim.id.to_hex()};
}

// What the key's own claim says; nothing: it is to be had.
std::optional<Met> meet_claim(const Workspace& workspace, const Claim& claim,
                              const FenceRequest& request) {
    const bool is_over = claim.state == ClaimState::owned && !is_leased(claim, workspace.now());
    if (claim.state == ClaimState::free || is_over) {
        return std::nullopt;
    }
    if (claim.state == ClaimState::uncertain) {
        return Met{unresolved(claim), "unresolved"};
    }
    if (has_other_content(claim, request) && workspace.settings().fences.reject_on_body_mismatch) {
        return Met{content_conflict(workspace, claim, request), "content"};
    }
    if (claim.state == ClaimState::sealed) {
        return Met{replayed(std::make_shared<const Claim>(claim)), kReplayRule};
    }
    const Time until = claim.effect->lease_until;
    return Met{FenceAnswer{.decision = Decision::in_flight,
                           .claim = std::make_shared<const Claim>(claim),
                           .retry_after = retry_after(until, workspace.now()),
                           .holder = SourceHolder{claim.id, claim.token, until}},
               "leased"};
}

// What other versions of its source say; nothing: it may be held.
std::optional<Met> meet_source(Workspace& workspace, const std::string& tenant,
                               const FenceRequest& request) {
    if (!request.version) {
        return std::nullopt;
    }
    const SourceKey key{tenant, request.source_type, request.source_id};
    const Source* source = find_source(workspace, key);
    if (source == nullptr) {
        return std::nullopt;
    }
    if (source->highest && *request.version < *source->highest) {
        return Met{FenceAnswer{.decision = Decision::stale, .last_version = source->highest},
                   "version"};
    }
    const auto& holder = source->holder;
    if (source->settling) {
        workspace.postpone();  // and then it is seen what the highest is
        return Met{FenceAnswer{.decision = Decision::in_flight}, "settling"};
    }
    if (holder && holder->claim != request.claim && workspace.now() < holder->until) {
        return Met{FenceAnswer{.decision = Decision::in_flight,
                               .retry_after = retry_after(holder->until, workspace.now()),
                               .holder = holder},
                   "source"};
    }
    return std::nullopt;
}

// Returns true if the answer is not sent, because the caller waits and asks again.
bool is_awaited(const FenceRequest& request, const Met& met) {
    const auto* answer = std::get_if<FenceAnswer>(&met.answer);
    return request.wait > Millis(0) && answer != nullptr && answer->decision == Decision::in_flight;
}

// Makes the request the owner. REQUIRES: the key is free or its lease has ended. `before` is the
// stored row, `judged` its present state.
Met take(Workspace& workspace, const ClaimFence& command, const Claim* before,
         const std::optional<Claim>& judged) {
    const FenceRequest& request = command.request;
    Claim claim = new_hold(before, command.tenant, request, workspace.now());
    FenceAnswer answer;
    std::string_view rule = "first";
    if (judged) {
        claim.effect->previous = judged->effect->previous;
        answer.takeover = judged->state == ClaimState::owned;
        rule = answer.takeover ? "lease_over" : "free";
    }
    claim.effect->rule = rule;
    if (answer.takeover) {
        trace(workspace, claim, Decision::takeover, rule);
    }
    const bool had_content = before != nullptr && before->effect && before->effect->has_content;
    if (request.content || had_content) {
        workspace.contents.put(claim.id, Content{request.content.value_or("")});
    }
    hold_source(workspace, claim);
    workspace.claims.put(claim.id, claim);
    answer.claim = std::make_shared<const Claim>(std::move(claim));
    return {std::move(answer), rule};
}

}  // namespace

void name_rows(const ClaimFence& command, LoadSpec& spec) {
    const FenceRequest& request = command.request;
    spec.claims.push_back(request.claim);
    if (request.fingerprint) {
        spec.contents.push_back({request.claim, *request.fingerprint});
    }
    if (request.version) {
        spec.sources.push_back({command.tenant, request.source_type, request.source_id});
    }
}

Reply<ClaimFence> decide(const ClaimFence& command, Workspace& workspace) {
    const FenceRequest& request = command.request;
    const Claim* row = workspace.claims.find(request.claim);
    std::optional<Claim> judged;
    if (row != nullptr) {
        SEMEL_ASSERT(row->full_key == request.full_key);
        judged = as_of(*row, workspace.now());
    }
    if (judged && judged->effect->settling) {
        workspace.postpone();  // and then told what was sealed
        return Item<FenceAnswer>(FenceAnswer{});
    }
    std::optional<Met> met = judged ? meet_claim(workspace, *judged, request) : std::nullopt;
    if (!met) {
        met = meet_source(workspace, command.tenant, request);
    }
    if (!met) {
        met = take(workspace, command, row, judged);
    }
    if (!is_awaited(request, *met)) {
        trace(workspace, command, judged, met->answer, met->rule);
    }
    return std::move(met->answer);
}

}  // namespace semel
