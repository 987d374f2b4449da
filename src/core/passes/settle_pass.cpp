// The calls of a pass's owner: it sends the request, keeps its lease, and ends with an answer.
#include <algorithm>
#include <utility>

#include "core/decide.hpp"
#include "core/fences/fence_trace.hpp"
#include "core/limits.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

Problem stale(const ClaimId& claim) {
    return {.code = ProblemCode::stale_token,
            .detail =
                "this token does not own the claim, or no longer. Nothing was changed; send "
                "nothing under it",
            .claim_id = claim.to_hex()};
}

// Returns the claim if the caller owns it and its lease can still be renewed, otherwise null.
const Claim* find_owned(const Workspace& workspace, const PassRef& ref) {
    const Claim* claim = workspace.claims.find(ref.claim);
    if (claim == nullptr || claim->token != ref.token) {
        return nullptr;
    }
    const PassState state = judge(*claim, workspace.now());
    const bool is_owned =
        state == PassState::held || state == PassState::lapsed || state == PassState::sent;
    return is_owned ? claim : nullptr;
}

// ---- settle -----------------------------------------------------------------------------------

// One call on one claim of the pass.
class Settling {
public:
    Settling(const SettlePass& command, Workspace& workspace)
        : command_(command), workspace_(workspace) {}

    // Returns the claim after the call, or null if it is stale.
    std::shared_ptr<const Claim> apply(const PassCall& call) {
        const Hash256 content = content_of(call.end, command_.answer);
        const Claim* row = workspace_.claims.find(call.claim);
        if (row == nullptr || row->tenant != command_.tenant) {
            return nullptr;
        }
        const SettleEffect effect = settle_effect(*row, call, content);
        if (effect == SettleEffect::stale) {
            return nullptr;
        }
        Claim claim = *row;
        if (effect == SettleEffect::applied) {
            end(claim, call.end);
            workspace_.claims.put(claim.id, claim);
        }
        return std::make_shared<const Claim>(std::move(claim));
    }

    // Writes the body once for both claims, for as long as one of them is remembered.
    void keep_body() {
        if (response_ && command_.body) {
            workspace_.record(
                ResponseChange{ResponseVerb::write, *response_, kept_until_, command_.body});
        }
    }

private:
    void end(Claim& claim, PassEnd end) {
        const EndedBy ended_by{verb_of(end), content_of(end, command_.answer)};
        switch (end) {
            case PassEnd::seal: seal(claim); break;
            case PassEnd::release:
                if (claim.effect->has_content) workspace_.contents.put(claim.id, Content{});
                free_pass(claim, add_clamped(workspace_.now(), kReleasedPassRetention));
                break;
            case PassEnd::doubt: doubt(claim); break;
        }
        claim.effect->ended_by = ended_by;
    }

    void seal(Claim& claim) {
        KeptAnswer answer = command_.answer.value_or(KeptAnswer{});
        answer.response = claim.effect->pass->effect;
        seal_pass(claim, std::move(answer), workspace_.now());
        if (claim.effect->pass->answer->has_body) {
            response_ = claim.effect->pass->effect;
            kept_until_ = std::max(kept_until_, *claim.expires_at);
        }
    }

    // One entry for both claims.
    void doubt(Claim& claim) {
        doubt_pass(claim);
        if (!has_entry_) {
            has_entry_ = true;
            trace(workspace_, claim, Decision::uncertain, "owner", command_.reason);
        }
    }

    const SettlePass& command_;
    Workspace& workspace_;
    std::optional<Uuid> response_;
    Time kept_until_;
    bool has_entry_ = false;
};

}  // namespace

void name_rows(const DispatchPass& command, LoadSpec& spec) {
    for (const PassRef& ref : command.claims) spec.claims.push_back(ref.claim);
}

Reply<DispatchPass> decide(const DispatchPass& command, Workspace& workspace) {
    Dispatched dispatched;
    for (const PassRef& ref : command.claims) {
        const Claim* claim = find_owned(workspace, ref);
        if (claim == nullptr || claim->tenant != command.tenant) {
            return stale(ref.claim);
        }
        Claim& sent = workspace.claims.edit(ref.claim);
        dispatch_pass(sent, workspace.now());
        dispatched = {*sent.effect->pass->dispatched_at, sent.effect->lease_until};
    }
    return dispatched;
}

void name_rows(const BeatPasses& command, LoadSpec& spec) {
    for (const PassRef& ref : command.claims) spec.claims.push_back(ref.claim);
}

Reply<BeatPasses> decide(const BeatPasses& command, Workspace& workspace) {
    BeatPasses::Outcome ends;
    ends.reserve(command.claims.size());
    for (const PassRef& ref : command.claims) {
        workspace.begin_item();
        const Claim* claim = find_owned(workspace, ref);
        if (auto refusal = workspace.refusal_of_locked_item()) {
            ends.emplace_back(*std::move(refusal));
        } else if (claim == nullptr) {
            ends.emplace_back(stale(ref.claim));
        } else {
            Claim& kept = workspace.claims.edit(ref.claim);
            beat_pass(kept, workspace.now());
            ends.emplace_back(kept.effect->lease_until);
        }
    }
    return ends;
}

void name_rows(const SettlePass& command, LoadSpec& spec) {
    if (command.key) spec.claims.push_back(command.key->claim);
    if (command.guard) spec.claims.push_back(command.guard->claim);
}

Reply<SettlePass> decide(const SettlePass& command, Workspace& workspace) {
    Settling settling(command, workspace);
    SettledPass settled;
    if (command.key) {
        settled.key = settling.apply(*command.key);
        settled.is_key_stale = !settled.key;
    }
    if (command.guard) {
        settled.guard = settling.apply(*command.guard);
        settled.is_guard_stale = !settled.guard;
    }
    settling.keep_body();
    return settled;
}

}  // namespace semel
