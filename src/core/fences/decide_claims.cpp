// Decisions about existing claims: the calls of a fence's owner and of operators.
#include <fmt/format.h>

#include "core/decide.hpp"
#include "core/fences/fence.hpp"
#include "core/fences/fence_request.hpp"
#include "core/fences/fence_trace.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/json_diff.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"
#include "core/passes/operate_pass.hpp"

namespace semel {
namespace {

std::string_view word_of(ClaimState state) {
    switch (state) {
        case ClaimState::owned: return "being worked on";
        case ClaimState::sealed: return "sealed";
        case ClaimState::uncertain: return "uncertain";
        case ClaimState::free: return "released";
    }
    return "";
}

// Returns the hash of a call's content, which separates its repeat from another call.
Hash256 content_of(FenceVerb verb, std::string_view effect_id,
                   const std::optional<std::string>& receipt, std::string_view words) {
    FieldHasher hasher("semel.fence.call.v1");
    hasher.field(to_string(verb)).field(effect_id).field(words);
    if (receipt) {
        // PostgreSQL accepts JSON that Semel refuses. Such JSON is compared by its bytes.
        const auto parsed = json::Document::parse(*receipt, json::kAnyNumbers);
        hasher.field(parsed ? fingerprint(parsed->root()).to_hex() : *receipt);
    }
    return hasher.finish();
}
Hash256 with_answer(const Hash256& content, const FoundAnswer& answer) {
    FieldHasher hasher("semel.pass.resolve.v1");
    hasher.field(content.to_hex()).field(std::to_string(answer.status));
    hasher.field(answer.body ? "body" : "").field(answer.body ? *answer.body : "");
    for (const AnswerHeader& header : answer.headers) {
        hasher.field(header.name).field(header.value);
    }
    return hasher.finish();
}
Hash256 content_of(const FenceCall& call) {
    return content_of(call.verb, call.effect_id, call.receipt, call.reason);
}
Hash256 content_of(const ResolveClaim& command) {
    const Hash256 content = content_of(FenceVerb::resolve, command.effect_id, command.receipt,
                                       to_string(command.outcome));
    return command.answer ? with_answer(content, *command.answer) : content;
}

std::string sealed_words(const std::string& effect_id, const std::optional<std::string>& receipt) {
    JsonWriter out;
    out.begin_object().member("effectId", effect_id);
    out.member_raw("receipt", receipt.value_or("null")).end_object();
    return out.take();
}

// Adds the difference between the sealed content and that of another call.
void add_seal_diff(Problem& problem, const Claim& claim, const std::string& effect_id,
                   const std::optional<std::string>& receipt, const FencePolicy& policy) {
    const auto kept = claim.receipt ? std::optional(claim.receipt->body) : std::nullopt;
    const auto first =
        json::Document::parse(sealed_words(claim.effect->id, kept), json::kAnyNumbers);
    const auto second = json::Document::parse(sealed_words(effect_id, receipt), json::kAnyNumbers);
    if (first && second) {
        std::vector<std::string> mask;
        mask.reserve(policy.mask.size());
        for (const std::string& pointer : policy.mask) mask.push_back("/receipt" + pointer);
        DiffResult diff = json_diff(first->root(), second->root(), {.mask = std::move(mask)});
        problem.diff_json = std::move(diff.patch_json);
        problem.diff_truncated = diff.truncated;
    }
}

Problem other_content(const Workspace& workspace, const Claim& claim, FenceVerb verb,
                      const std::string& effect_id, const std::optional<std::string>& receipt) {
    const FencePolicy& policy = workspace.settings().fences;
    Problem problem{
        .code = ProblemCode::conflict,
        .detail = fmt::format("this `{}` was made before with other content; nothing was changed",
                              to_string(verb)),
        .claim_id = claim.id.to_hex(),
        .effect_id = claim.effect->id};
    if (claim.state == ClaimState::sealed && policy.include_diff) {
        add_seal_diff(problem, claim, effect_id, receipt, policy);
    }
    return problem;
}

Problem wrong_state(const Claim& claim, std::string_view advice) {
    return {.code = ProblemCode::wrong_state,
            .detail =
                fmt::format("this key is {}{}; nothing was changed", word_of(claim.state), advice),
            .claim_id = claim.id.to_hex(),
            .claim_state = std::string(to_string(claim.state))};
}

// Returns the problem for a token without a successor whose call is forgotten.
Problem forgotten(const Claim& claim) {
    Problem problem = wrong_state(claim, "");
    problem.detail =
        "nobody has this key: its time is over, and what was done with this token is no longer "
        "known. Nothing was changed; the next claim is new";
    return problem;
}

Problem stale_token(const Claim& claim, std::string_view what) {
    return {.code = ProblemCode::stale_token,
            .detail = fmt::format("this token does not own {}, or no longer: whatever you did "
                                  "counts for nothing. Nothing was changed",
                                  what),
            .claim_id = claim.id.to_hex()};
}

// Returns a claim of any space in its present state. A claim of another tenant counts as absent.
std::optional<Claim> find_claim(const Workspace& workspace, const std::string& tenant,
                                const ClaimId& id) {
    const Claim* row = workspace.claims.find(id);
    return row != nullptr && row->tenant == tenant ? as_of(*row, workspace.now()) : std::nullopt;
}

// Returns the stored claim if a call has ended it. A repeat of that call gets the same answer until
// the key is claimed again, also after the claim has expired for other callers.
const Claim* find_ended(const Workspace& workspace, const std::string& tenant, const ClaimId& id) {
    const Claim* row = workspace.claims.find(id);
    const bool has_ended =
        row != nullptr && row->tenant == tenant && row->effect && row->effect->ended_by;
    return has_ended ? row : nullptr;
}

void forget_content(Workspace& workspace, const ClaimId& id) {
    const Claim* row = workspace.claims.find(id);
    if (row->effect && row->effect->has_content) {
        workspace.contents.put(id, Content{});
    }
}

// ---- the owner's calls ------------------------------------------------------------------------

// A call after the hold has ended. REQUIRES: a call has ended it.
Reply<CallFence> answer_repeat(Workspace& workspace, const Claim& claim, const FenceCall& call) {
    if (claim.effect->ended_by->verb != call.verb) {
        return wrong_state(claim, "");
    }
    if (claim.effect->ended_by->content != content_of(call)) {
        return other_content(workspace, claim, call.verb, call.effect_id, call.receipt);
    }
    return claim;
}

void apply(Workspace& workspace, const FenceCall& call, Claim& claim) {
    const Time now = workspace.now();
    switch (call.verb) {
        case FenceVerb::heartbeat:
            extend_lease(claim, call.lease, now);
            hold_source(workspace, claim);
            return;
        case FenceVerb::seal:
            seal_effect(claim, call.effect_id, call.receipt, now);
            seal_source(workspace, claim);
            break;
        case FenceVerb::release:
            forget_content(workspace, claim.id);
            free_source(workspace, claim);
            free_effect(claim, now);
            break;
        case FenceVerb::uncertain:
            claim.state = ClaimState::uncertain;
            claim.expires_at.reset();  // until an operator resolves it
            trace(workspace, claim, Decision::uncertain, "owner", call.reason);
            break;
        case FenceVerb::resolve: SEMEL_ASSERT(false); return;  // not an owner's
    }
    claim.effect->ended_by = EndedBy{call.verb, content_of(call)};
}

// Returns true if the call needs its source and no longer holds it. A seal or a heartbeat needs it:
// another version can own it now, or an operator can have sealed a higher one.
bool has_lost_source(const Workspace& workspace, const FenceCall& call, const Claim& claim) {
    const bool needs_it = call.verb == FenceVerb::seal || call.verb == FenceVerb::heartbeat;
    return needs_it && (!holds_source(workspace, claim) || is_outrun(workspace, claim));
}

// ---- operators --------------------------------------------------------------------------------

void resolve(Workspace& workspace, const ResolveClaim& command, Claim& claim) {
    if (command.outcome == ClaimOutcome::sealed) {
        const std::string& id = command.effect_id.empty() ? claim.effect->id : command.effect_id;
        seal_effect(claim, std::string(id), command.receipt, workspace.now());
        seal_source(workspace, claim);
    } else {
        forget_content(workspace, claim.id);
        free_source(workspace, claim);
        free_effect(claim, workspace.now());
    }
    claim.token = next_token(claim.token, workspace.now());
    claim.effect->ended_by = EndedBy{FenceVerb::resolve, content_of(command)};
}

// REQUIRES: the claim was resolved.
Reply<ResolveClaim> answer_repeat(const Workspace& workspace, const Claim& claim,
                                  const ResolveClaim& command) {
    if (claim.effect->ended_by->content != content_of(command)) {
        return other_content(workspace, claim, FenceVerb::resolve, command.effect_id,
                             command.receipt);
    }
    return claim;
}

// Frees a claim whose owner is a job, a chain, or an API answer.
void free_key(Claim& claim, Time now) {
    claim.state = ClaimState::free;
    claim.owners.clear();
    claim.purged_as.reset();
    claim.fingerprint.reset();
    claim.receipt.reset();
    claim.expires_at = add_clamped(now, kUnsealedRetention);  // so that tokens grow
}

// Deletes a damaged claim. The row cannot show its owner, but its id is made of tenant and key. The
// next claim counts as the first, with a token by the clock, so that tokens grow.
Reply<DeleteClaim> erase_damaged(const DeleteClaim& command, Workspace& workspace) {
    Key key = fence_key(command.tenant, command.key);
    if (key.claim != command.claim) {
        return invalid(
            "the row of this claim is damaged and cannot say whose it is: give `key`, the "
            "key of your fence that it belongs to");
    }
    Claim freed;
    freed.id = command.claim;
    freed.tenant = command.tenant;
    freed.space = "fences";
    freed.full_key = std::move(key.full_key);
    freed.created_at = workspace.now();
    freed.state = ClaimState::free;
    freed.effect.emplace();
    freed.token = next_token(Token::none, workspace.now());
    trace(workspace, freed, Decision::resolved, "damaged", command.reason);
    workspace.claims.erase_damaged(command.claim);
    return freed;
}

}  // namespace

void name_rows(const CallFence& command, LoadSpec& spec) {
    spec.claims.push_back(command.call.claim);
}

Reply<CallFence> decide(const CallFence& command, Workspace& workspace) {
    const FenceCall& call = command.call;
    // A call is accepted while its token is current, also after the lease ran out, until someone
    // took over.
    const auto is_current = [&](const Claim& claim) { return call.token == claim.token; };
    const Claim* ended = find_ended(workspace, command.tenant, call.claim);
    if (ended != nullptr && is_current(*ended)) {
        return answer_repeat(workspace, *ended, call);
    }
    auto claim = find_claim(workspace, command.tenant, call.claim);
    if (!claim || !claim->effect || claim->effect->pass) {
        return not_found("there is no fence with this key");
    }
    if (!is_current(*claim)) {
        return stale_token(*claim, "the key");
    }
    if (claim->state != ClaimState::owned) {
        return forgotten(*claim);
    }
    if (claim->effect->settling) {
        if (call.verb != FenceVerb::heartbeat) {
            workspace.postpone();  // and then answered like any call after the end
        }
        return std::move(*claim);
    }
    if (has_lost_source(workspace, call, *claim)) {
        return stale_token(*claim, "the source of this version");
    }
    apply(workspace, call, *claim);
    workspace.claims.put(claim->id, *claim);
    return std::move(*claim);
}

void name_rows(const ResolveClaim& command, LoadSpec& spec) {
    spec.claims.push_back(command.claim);
    if (command.twin) spec.claims.push_back(*command.twin);
}

Reply<ResolveClaim> decide(const ResolveClaim& command, Workspace& workspace) {
    const Claim* ended = find_ended(workspace, command.tenant, command.claim);
    if (ended != nullptr && ended->effect->ended_by->verb == FenceVerb::resolve) {
        return answer_repeat(workspace, *ended, command);
    }
    auto claim = find_claim(workspace, command.tenant, command.claim);
    if (!claim || !claim->effect) {
        return not_found("there is no fence with this key");
    }
    if (claim->state != ClaimState::uncertain) {
        return wrong_state(*claim, ", and only what is uncertain can be resolved");
    }
    if (claim->effect->pass) {
        return resolve_pass(command, workspace, *std::move(claim), content_of(command));
    }
    if (command.answer) {
        return invalid(
            "`response` is for requests of the gateway; a fence is sealed with `receipt`",
            "/response");
    }
    if (command.outcome == ClaimOutcome::sealed && command.effect_id.empty() &&
        claim->effect->id.empty()) {
        return invalid("`effectId` is required to seal", "/effectId");
    }
    if (command.outcome == ClaimOutcome::sealed && is_source_settling(workspace, *claim)) {
        workspace.postpone();  // that seal is committed and can no longer be refused
        return std::move(*claim);
    }
    resolve(workspace, command, *claim);
    trace(workspace, *claim, Decision::resolved, to_string(command.outcome), command.reason);
    workspace.claims.put(claim->id, *claim);
    return std::move(*claim);
}

void name_rows(const DeleteClaim& command, LoadSpec& spec) {
    spec.claims.push_back(command.claim);
    if (command.twin) spec.claims.push_back(*command.twin);
}

Reply<DeleteClaim> decide(const DeleteClaim& command, Workspace& workspace) {
    if (workspace.claims.is_damaged(command.claim)) {
        return erase_damaged(command, workspace);
    }
    auto claim = find_claim(workspace, command.tenant, command.claim);
    if (!claim) {
        return not_found("there is no claim with this id");
    }
    if (claim->state == ClaimState::free) {
        return std::move(*claim);
    }
    if (claim->effect && claim->effect->settling) {
        workspace.postpone();  // its owner's seal comes first
        return std::move(*claim);
    }
    if (claim->effect && claim->effect->pass) {
        return delete_pass(command, workspace, *std::move(claim));
    }
    free_source(workspace, *claim);
    claim->token = next_token(claim->token, workspace.now());
    trace(workspace, *claim, Decision::resolved, "deleted", command.reason);
    if (claim->effect) {
        forget_content(workspace, claim->id);
        free_effect(*claim, workspace.now());
    } else {
        free_key(*claim, workspace.now());
    }
    workspace.claims.put(claim->id, *claim);
    return std::move(*claim);
}

// ---- upkeep -----------------------------------------------------------------------------------

void name_rows(const PruneClaims& command, LoadSpec& spec) {
    spec.queries.emplace_back(ExpiredClaimsQuery{.limit = command.limit});
}

Reply<PruneClaims> decide(const PruneClaims& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome;
    outcome.more = found.claims.size() >= static_cast<std::size_t>(command.limit);
    for (const ClaimId& id : found.claims) {
        const Claim* claim = workspace.claims.find(id);
        const bool is_settling = claim != nullptr && claim->effect && claim->effect->settling;
        if (claim == nullptr || is_settling || !claim->expires_at ||
            workspace.now() < *claim->expires_at) {
            continue;
        }
        if (claim->effect && claim->effect->pass) {
            outcome.count += prune_pass(workspace, *claim) ? 1 : 0;
            continue;
        }
        if (claim->state == ClaimState::owned && claim->effect) {
            trace(workspace, *claim, Decision::takeover, "abandoned");
        }
        forget_content(workspace, id);
        if (auto left = as_of(*claim, workspace.now())) {
            workspace.claims.put(id, std::move(*left));
        } else {
            workspace.claims.erase(id);
        }
        ++outcome.count;
    }
    return outcome;
}

void name_rows(const PruneSources& command, LoadSpec& spec) {
    spec.queries.emplace_back(ExpiredSourcesQuery{command.limit});
}

Reply<PruneSources> decide(const PruneSources& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome;
    outcome.more = found.sources.size() >= static_cast<std::size_t>(command.limit);
    for (const SourceKey& key : found.sources) {
        if (workspace.sources.find(key) != nullptr && find_source(workspace, key) == nullptr) {
            workspace.sources.erase(key);
            ++outcome.count;
        }
    }
    return outcome;
}

void name_rows(const CountRepeats& command, LoadSpec& spec) {
    for (const RepeatCount& repeat : command.counts) spec.claims.push_back(repeat.claim);
}

Reply<CountRepeats> decide(const CountRepeats& command, Workspace& workspace) {
    UpkeepOutcome outcome;
    for (const RepeatCount& repeat : command.counts) {
        const bool is_damaged = workspace.claims.is_damaged(repeat.claim);  // others are counted
        const Claim* claim = is_damaged ? nullptr : workspace.claims.find(repeat.claim);
        if (claim != nullptr && claim->token == repeat.token &&
            (!claim->expires_at || workspace.now() < *claim->expires_at)) {
            workspace.claims.edit(repeat.claim).repeats += repeat.count;
            ++outcome.count;
        }
    }
    return outcome;
}

}  // namespace semel
