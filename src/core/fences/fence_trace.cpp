#include "core/fences/fence_trace.hpp"

#include "core/keys/replay.hpp"
#include "core/passes/pass.hpp"

namespace semel {
namespace {

// A shorter content, like {}, null or true, is equal under many keys by chance.
constexpr std::size_t kTellingBytes = 8;

bool is_telling(const FenceRequest& request) {
    return request.fingerprint && (!request.content || request.content->size() >= kTellingBytes);
}

// Returns the hash that makes another key with the same hash a near miss. It includes the action,
// because several actions can have one content, each under its own key.
Hash256 near_content(const FenceRequest& request) {
    if (request.action.empty()) {
        return *request.fingerprint;
    }
    return FieldHasher("semel.near_miss.v1")
        .field(request.fingerprint->to_hex())
        .field(request.action)
        .finish();
}

void add_refusal(DecisionEntry& entry, const Problem& problem) {
    entry.decision =
        problem.code == ProblemCode::uncertain ? Decision::uncertain : Decision::conflict;
    entry.diff_bytes = problem.diff_json.size();
}

void add_claim(DecisionEntry& entry, const Claim& claim) {
    entry.token = claim.token;
    entry.effect = claim.effect ? claim.effect->id : "";
    if (!claim.owners.empty()) {
        entry.effect_id = claim.newest().job;
    }
}

// The effect of a pass has an id. Only an operator's name for it is text.
void add_pass(DecisionEntry& entry, const Claim& claim) {
    const Pass& pass = *claim.effect->pass;
    entry.surface = "gateway";
    entry.type = route_of(claim);
    entry.effect_id = pass.effect;
    if (entry.effect == pass.effect.to_string()) {
        entry.effect.clear();
    }
    if (pass.twin) {
        entry.other_claim = pass.twin->claim;
    }
}

DecisionEntry entry_of(const ClaimFence& command, std::string_view rule, Time now) {
    const FenceRequest& request = command.request;
    DecisionEntry entry;
    entry.at = now;
    entry.tenant = command.tenant;
    entry.surface = "fences";
    entry.type = to_string(request.fence_class);
    entry.claim = request.claim;
    entry.key = request.full_key;
    entry.rule = rule;
    entry.source_type = request.source_type;
    entry.source_id = request.source_id;
    return entry;
}

}  // namespace

void trace(Workspace& workspace, const ClaimFence& command, const std::optional<Claim>& met,
           const Item<FenceAnswer>& answer, std::string_view rule) {
    const FenceRequest& request = command.request;
    DecisionEntry entry = entry_of(command, rule, workspace.now());
    if (met) {
        add_claim(entry, *met);
    }
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        add_refusal(entry, *problem);
    } else {
        const auto& answer_given = std::get<FenceAnswer>(answer);
        entry.decision = answer_given.decision;
        if (answer_given.claim) {
            add_claim(entry, *answer_given.claim);
        }
        if (answer_given.decision == Decision::new_ && is_telling(request)) {
            entry.content = near_content(request);
        }
    }
    workspace.record(std::move(entry));
}

DecisionEntry replay_entry(const ClaimFence& command, const Claim& claim, Time now) {
    DecisionEntry entry = entry_of(command, kReplayRule, now);
    entry.decision = Decision::duplicate;
    add_claim(entry, claim);
    return entry;
}

DecisionEntry entry_about(const Claim& claim, Decision decision, std::string_view rule, Time now) {
    DecisionEntry entry;
    entry.at = now;
    entry.tenant = claim.tenant;
    entry.surface = claim.space;
    entry.claim = claim.id;
    entry.key = claim.full_key;
    entry.decision = decision;
    entry.rule = rule;
    if (claim.effect) {
        entry.source_type = claim.effect->source_type;
        entry.source_id = claim.effect->source_id;
    }
    add_claim(entry, claim);
    if (claim.effect && claim.effect->pass) {
        add_pass(entry, claim);
    }
    return entry;
}

void trace(Workspace& workspace, const Claim& claim, Decision decision, std::string_view rule,
           const std::string& reason) {
    DecisionEntry entry = entry_about(claim, decision, rule, workspace.now());
    entry.reason = reason;
    workspace.record(std::move(entry));
}

}  // namespace semel
