#include "core/cycle.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/mutation.hpp"
#include "core/dedup_key.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

Key graph_key(const std::string& tenant) {
    return make_key(tenant, "graph", {});
}

const ChainRequest* started_by(const BlockerRequest& blocker) {
    const auto* chain = std::get_if<std::shared_ptr<const ChainRequest>>(&blocker);
    return chain != nullptr ? chain->get() : nullptr;
}

// Whether it may turn out to be a chain that exists.
bool may_be_known(const ChainRequest& chain) {
    return chain.deduplication.has_value() || chain.first.id.has_value();
}

// Whether one of its blockers is such a chain, or is named; and theirs in turn.
bool may_meet(const StepRequest& step, bool counts_named) {
    return std::any_of(step.blockers.begin(), step.blockers.end(), [&](const auto& blocker) {
        const ChainRequest* chain = started_by(blocker);
        return chain == nullptr ? counts_named
                                : may_be_known(*chain) || may_meet(chain->first, counts_named);
    });
}

void name_known(const StepRequest& step, LoadSpec& spec) {
    for (const BlockerRequest& blocker : step.blockers) {
        const ChainRequest* chain = started_by(blocker);
        if (chain == nullptr) {
            spec.waits_from.push_back(std::get<JobId>(blocker));
            continue;
        }
        if (chain->first.id) spec.waits_from.push_back(*chain->first.id);
        if (chain->deduplication) spec.waits_from_owners.push_back(chain->deduplication->claim);
        name_known(chain->first, spec);
    }
}

// Whether a chain waits for itself, by way of others.
bool waits_for_itself(const std::vector<Wait>& waits, const JobId& chain) {
    std::unordered_map<JobId, std::vector<JobId>> waits_for;
    for (const Wait& wait : waits) waits_for[wait.chain].push_back(wait.blocker);
    std::vector<JobId> open = waits_for[chain];
    std::unordered_set<JobId> seen;
    while (!open.empty()) {
        const JobId at = open.back();
        open.pop_back();
        if (at == chain) {
            return true;
        }
        if (seen.insert(at).second) {
            const auto& next = waits_for[at];
            open.insert(open.end(), next.begin(), next.end());
        }
    }
    return false;
}

}  // namespace

void name_waits(const StepRequest& step, const std::string& tenant, LoadSpec& spec) {
    if (!may_meet(step, true)) {
        return;
    }
    if (!SEMEL_MUTATION(graph_not_held)) {
        spec.claims.push_back(graph_key(tenant).claim);
    }
    name_known(step, spec);
}

std::optional<Problem> hold_graph(Workspace& workspace, const std::string& tenant,
                                  const StepRequest& step) {
    if (!may_meet(step, true)) {
        return std::nullopt;
    }
    if (!workspace.waits_are_whole()) {
        return Problem{.code = ProblemCode::too_large,
                       .detail = fmt::format("more than {} chains wait for one another behind "
                                             "these blockers; nothing was changed",
                                             kWaitsMax),
                       .pointer = step.pointer + "/blockers"};
    }
    if (SEMEL_MUTATION(graph_not_held)) {
        return std::nullopt;
    }
    Key key = graph_key(tenant);
    const Claim* before = workspace.claims.find(key.claim);
    Claim claim;
    claim.id = key.claim;
    claim.tenant = tenant;
    claim.space = "graph";
    claim.full_key = std::move(key.full_key);
    claim.token = next_token(before != nullptr ? before->token : Token::none, workspace.now());
    claim.created_at = before != nullptr ? before->created_at : workspace.now();
    workspace.claims.put(claim.id, std::move(claim));
    return std::nullopt;
}

std::optional<Problem> check_cycle(const Workspace& workspace, const Job& job,
                                   const StepRequest& step) {
    const bool is_possible = may_meet(step, !job.begins_chain());
    if (!is_possible || !waits_for_itself(workspace.waits(), job.chain) ||
        SEMEL_MUTATION(cycle_not_refused)) {
        return std::nullopt;
    }
    return Problem{.code = ProblemCode::cycle,
                   .detail =
                       "one of these blockers waits for this chain itself, so that neither would "
                       "ever go on; nothing was changed",
                   .pointer = step.pointer + "/blockers",
                   .existing_id = job.chain};
}

}  // namespace semel
