#include "core/chains/chain_key.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/chains/chain.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/json_diff.hpp"

namespace semel {
namespace {

// How many ended owners a key remembers, besides the unfinished ones, because requests can exclude
// the newest chains.
constexpr std::size_t kEndedOwnersMax = 16;

bool is_excluded(const ChainDeduplication& wanted, const JobId& chain) {
    return std::find(wanted.excluded.begin(), wanted.excluded.end(), chain) !=
           wanted.excluded.end();
}

bool in_window(const ChainDeduplication& wanted, const Owner& owner, Time now) {
    return !wanted.window || now - owner.window_from < *wanted.window;
}

// Returns null if the owner's rows are deleted. Another chain can have its id, chosen by a caller.
const Job* first_of(const Workspace& workspace, const Claim& claim, const Owner& owner) {
    return claim.is_purged(owner.job) ? nullptr : workspace.jobs.find(owner.job);
}

bool meets_purged(const Claim& claim, const Owner& owner, const ChainDeduplication& wanted,
                  Time now) {
    const bool is_remembered = !claim.expires_at || now < *claim.expires_at;
    return claim.is_purged(owner.job) && is_remembered && wanted.scope == Scope::any &&
           in_window(wanted, owner, now);
}

bool qualifies(const Workspace& workspace, const Owner& owner, const Job& last,
               const ChainDeduplication& wanted) {
    const auto& retention = workspace.settings().key_retention;
    const bool is_forgotten =
        last.completed_at && retention && workspace.now() >= *last.completed_at + *retention;
    const bool is_over = is_final(last.status);
    return !is_forgotten && (!is_over || wanted.scope == Scope::any) &&
           in_window(wanted, owner, workspace.now());
}

Problem is_uncertain(const JobId& chain) {
    return {.code = ProblemCode::uncertain,
            .detail =
                "the chain that holds this key may or may not have taken effect; resolve it "
                "first",
            .existing_id = chain};
}

bool is_open(const Workspace& workspace, const Job& first) {
    const Job* last = last_of_chain(workspace, first);
    return last != nullptr && !is_final(last->status);
}

// Returns the owners to remember besides `next`: unfinished ones and the newest ended ones, in
// order.
std::vector<Owner> remembered(const Workspace& workspace, const Claim& claim, const JobId& next,
                              std::size_t& open) {
    std::vector<Owner> owners;
    std::size_t ended = 0;
    for (auto owner = claim.owners.rbegin(); owner != claim.owners.rend(); ++owner) {
        const Job* first = first_of(workspace, claim, *owner);
        if (first == nullptr || owner->job == next) {
            continue;
        }
        if (is_open(workspace, *first)) {
            ++open;
            owners.push_back(*owner);
        } else if (ended++ < kEndedOwnersMax) {
            owners.push_back(*owner);
        }
    }
    std::reverse(owners.begin(), owners.end());
    return owners;
}

DecisionEntry entry_for(const Workspace& workspace, const std::string& tenant,
                        const ChainRequest& request) {
    DecisionEntry entry;
    entry.at = workspace.now();
    entry.tenant = tenant;
    entry.surface = "chains";
    entry.type = request.first.type;
    if (request.deduplication) {
        entry.claim = request.deduplication->claim;
        entry.key = request.deduplication->full_key;
    }
    return entry;
}

}  // namespace

KeyMeeting meet_key(const Workspace& workspace, const ChainDeduplication& wanted) {
    const Claim* claim = workspace.claims.find(wanted.claim);
    if (claim == nullptr) {
        return MeetsNoChain{};
    }
    SEMEL_ASSERT(claim->full_key == wanted.full_key);
    for (auto owner = claim->owners.rbegin(); owner != claim->owners.rend(); ++owner) {
        if (is_excluded(wanted, owner->job)) {
            continue;
        }
        const Job* first = first_of(workspace, *claim, *owner);
        if (first == nullptr) {
            if (meets_purged(*claim, *owner, wanted, workspace.now())) {
                return ChainMatch{owner->job, claim->purged_as};
            }
            continue;
        }
        const Job* last = last_of_chain(workspace, *first);
        if (last == nullptr || !qualifies(workspace, *owner, *last, wanted)) {
            continue;
        }
        return last->status == Status::uncertain ? KeyMeeting(is_uncertain(first->id))
                                                 : KeyMeeting(ChainMatch{first->id});
    }
    return MeetsNoChain{};
}

std::optional<Problem> own_key(Workspace& workspace, const ChainDeduplication& wanted,
                               const Job& first) {
    const Claim* before = workspace.claims.find(wanted.claim);
    Claim claim;
    claim.id = wanted.claim;
    claim.tenant = first.tenant;
    claim.space = "chains";
    claim.full_key = wanted.full_key;
    claim.token = next_token(before != nullptr ? before->token : Token::none, workspace.now());
    claim.created_at = before != nullptr ? before->created_at : workspace.now();
    std::size_t open = 0;
    if (before != nullptr) {
        claim.owners = remembered(workspace, *before, first.id, open);
    }
    if (open >= kOpenOwnersMax) {
        return Problem{.code = ProblemCode::too_large,
                       .detail = fmt::format("this key has {} unfinished chains already; let some "
                                             "end, or exclude fewer of them",
                                             kOpenOwnersMax)};
    }
    claim.owners.push_back({.job = first.id, .window_from = workspace.now()});
    workspace.claims.put(wanted.claim, std::move(claim));
    return std::nullopt;
}

std::optional<Time> unique_until(const ChainDeduplication& wanted, Time now) {
    return wanted.window ? std::optional(add_clamped(now, *wanted.window)) : std::nullopt;
}

StartedChain answer_match(const Workspace& workspace, const ChainMatch& match,
                          const std::string& input) {
    StartedChain answer;
    answer.deduplicated = true;
    if (match.purged_as) {
        answer.purged = true;
        answer.chain.first.id = match.chain;
        answer.chain.last.status = *match.purged_as;
        return answer;
    }
    answer.chain = view_of_chain(workspace, *workspace.jobs.find(match.chain));
    answer.input_differs = input_differs(answer.chain.input, input);
    return answer;
}

bool input_differs(const JobBody& first, const std::string& second) {
    if (first.payload == second) {
        return false;
    }
    const auto a = json::Document::parse(first.payload);
    const auto b = json::Document::parse(second);
    return !a || !b || !same_content(a->root(), b->root());
}

Problem input_conflict(const ChainView& existing, const StepRequest& step) {
    Problem problem{.code = ProblemCode::conflict,
                    .detail =
                        "a chain with this id and another type or input exists; nothing was "
                        "changed. Leave `id` out, or use a new one",
                    .pointer = step.pointer + "/id",
                    .existing_id = existing.first.id,
                    .state = existing.last.status};
    const auto first = json::Document::parse(existing.input.payload);
    const auto second = json::Document::parse(step.input);
    if (first && second) {
        DiffResult diff = json_diff(first->root(), second->root());
        problem.diff_json = std::move(diff.patch_json);
        problem.diff_truncated = diff.truncated;
    }
    return problem;
}

void record_start(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                  const StartedChain& started) {
    DecisionEntry entry = entry_for(workspace, tenant, request);
    entry.decision = started.deduplicated ? Decision::duplicate : Decision::new_;
    entry.rule = !request.deduplication ? "no_key" : started.purged ? "purged" : "key";
    entry.effect_id = started.chain.first.id;
    workspace.record(std::move(entry));
}

void record_refusal(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                    const Problem& problem) {
    if (problem.code != ProblemCode::conflict && problem.code != ProblemCode::uncertain) {
        return;
    }
    DecisionEntry entry = entry_for(workspace, tenant, request);
    entry.decision = Decision::conflict;
    entry.rule = to_string(problem.code);
    entry.effect_id = problem.existing_id.value_or(Uuid{});
    entry.diff_bytes = problem.diff_json.size();
    workspace.record_refusal(std::move(entry));
}

}  // namespace semel
