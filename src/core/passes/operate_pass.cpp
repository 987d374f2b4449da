#include "core/passes/operate_pass.hpp"

#include <algorithm>
#include <utility>

#include "core/fences/fence_trace.hpp"
#include "core/limits.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

void forget_content(Workspace& workspace, const Claim& claim) {
    if (claim.effect->has_content) {
        workspace.contents.put(claim.id, Content{});
    }
}

const Claim* find_row(const Workspace& workspace, const std::string& tenant,
                      const std::optional<ClaimId>& id) {
    const Claim* row = id ? workspace.claims.find(*id) : nullptr;
    return row != nullptr && row->tenant == tenant ? row : nullptr;
}

// Returns the other claim if the same pass still has both, and it is uncertain too.
std::optional<Claim> find_uncertain_twin(const Workspace& workspace, const Claim& claim) {
    const auto& twin = claim.effect->pass->twin;
    const Claim* row = twin ? find_row(workspace, claim.tenant, twin->claim) : nullptr;
    const bool is_its_twin = row != nullptr && are_twins(claim, *row) &&
                             judge(*row, workspace.now()) == PassState::uncertain;
    return is_its_twin ? std::optional(*row) : std::nullopt;
}

KeptAnswer found_answer(const ResolveClaim& command, const Uuid& response) {
    KeptAnswer answer;
    answer.response = response;
    if (command.answer) {
        answer.status = command.answer->status;
        answer.headers = command.answer->headers;
        answer.has_body = command.answer->body != nullptr;
    }
    if (answer.has_body) {
        answer.size = static_cast<std::int64_t>(command.answer->body->size());
    }
    return answer;
}

void resolve_one(const ResolveClaim& command, Workspace& workspace, Claim& claim,
                 const Hash256& content, Token token) {
    const Time now = workspace.now();
    if (command.outcome == ClaimOutcome::released) {
        forget_content(workspace, claim);
        free_pass(claim, add_clamped(now, kUnsealedRetention));
    } else {
        const Uuid response = claim.effect->pass->effect;
        seal_pass(claim, found_answer(command, response), now);
        if (!command.effect_id.empty()) {
            claim.effect->id = command.effect_id;
        }
        if (command.answer && command.answer->body) {
            workspace.record(ResponseChange{ResponseVerb::write, response, *claim.expires_at,
                                            command.answer->body});
        }
        if (auto& twin = claim.effect->pass->twin) {
            twin->token = token;
        }
    }
    claim.token = token;
    claim.effect->ended_by = EndedBy{FenceVerb::resolve, content};
    workspace.claims.put(claim.id, claim);
}

// Returns true if the twin that the command names has the same answer as the claim.
bool is_shared(const DeleteClaim& command, const Workspace& workspace, const Claim& claim) {
    const Pass& pass = *claim.effect->pass;
    if (!pass.twin) {
        return false;
    }
    if (command.twin != pass.twin->claim) {
        return true;  // unknown, so the body stays until it expires
    }
    const Claim* row = find_row(workspace, claim.tenant, command.twin);
    const auto twin = row != nullptr && row->effect && row->effect->pass
                          ? pass_as_of(*row, workspace.now())
                          : std::nullopt;
    const auto& answer = twin ? twin->effect->pass->answer : pass.answer;
    return twin && answer && answer->response == pass.answer->response;
}

// The entry is made once for a pass: at its key, or at a guard that has none.
bool has_entry(const Claim& claim) {
    return !is_guard(claim) || !claim.effect->pass->twin;
}

}  // namespace

Reply<ResolveClaim> resolve_pass(const ResolveClaim& command, Workspace& workspace, Claim claim,
                                 const Hash256& content) {
    if (command.receipt) {
        return invalid(
            "`receipt` is for fences; a request of the gateway is sealed with `response`",
            "/receipt");
    }
    const auto& twin = claim.effect->pass->twin;
    const bool is_named = twin ? command.twin == twin->claim : !command.twin;
    if (!is_named) {
        return Problem{.code = ProblemCode::conflict,
                       .detail =
                           "the request under this claim holds another claim than the one that "
                           "was named with it; nothing was changed. Read the claim again",
                       .claim_id = claim.id.to_hex()};
    }
    auto other = find_uncertain_twin(workspace, claim);
    const Token token = next_token(claim.token, workspace.now());
    DecisionEntry entry =
        entry_about(claim, Decision::resolved, to_string(command.outcome), workspace.now());
    entry.reason = command.reason;
    entry.token = token;
    workspace.record(std::move(entry));
    if (other) {
        resolve_one(command, workspace, *other, content, token);
    }
    resolve_one(command, workspace, claim, content, token);
    return claim;
}

Claim delete_pass(const DeleteClaim& command, Workspace& workspace, Claim claim) {
    const auto& answer = claim.effect->pass->answer;
    if (answer && answer->has_body && !answer->is_borrowed &&
        !is_shared(command, workspace, claim)) {
        workspace.record(ResponseChange{ResponseVerb::erase, answer->response});
    }
    claim.token = next_token(claim.token, workspace.now());
    trace(workspace, claim, Decision::resolved, "deleted", command.reason);
    forget_content(workspace, claim);
    free_pass(claim, add_clamped(workspace.now(), kUnsealedRetention));
    workspace.claims.put(claim.id, claim);
    return claim;
}

bool prune_pass(Workspace& workspace, const Claim& claim) {
    switch (judge(claim, workspace.now())) {
        case PassState::held:
        case PassState::sent:
        case PassState::sealed: return false;
        case PassState::uncertain: {
            if (claim.state == ClaimState::uncertain) {
                return false;
            }
            Claim& doubtful = workspace.claims.edit(claim.id);
            doubt_pass(doubtful);
            if (has_entry(doubtful)) {
                trace(workspace, doubtful, Decision::uncertain, "lease_over");
            }
            return true;
        }
        case PassState::lapsed:
            if (has_entry(claim)) {
                trace(workspace, claim, Decision::takeover, "abandoned");
            }
            break;
        case PassState::nothing: break;
    }
    forget_content(workspace, claim);
    workspace.claims.erase(ClaimId(claim.id));
    return true;
}

}  // namespace semel
