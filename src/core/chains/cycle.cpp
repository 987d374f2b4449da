#include "core/chains/cycle.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/chains/chain.hpp"
#include "core/keys/dedup_key.hpp"
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

// Returns true if the request can mean an existing chain.
bool may_be_known(const ChainRequest& chain) {
    return chain.deduplication.has_value() || chain.first.id.has_value();
}

// Returns true if a blocker, or recursively one of its blockers, can be an existing chain.
bool may_meet(const StepRequest& step) {
    return std::any_of(step.blockers.begin(), step.blockers.end(), [](const auto& blocker) {
        const ChainRequest* chain = started_by(blocker);
        return chain == nullptr || may_be_known(*chain) || may_meet(chain->first);
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

struct ByChain {
    bool operator()(const Wait& wait, const JobId& chain) const { return wait.chain < chain; }
    bool operator()(const JobId& chain, const Wait& wait) const { return chain < wait.chain; }
};

void add_open(const std::vector<Edge>& edges, std::vector<JobId>& to) {
    for (const Edge& edge : edges) {
        if (!edge.done) to.push_back(edge.blocker);
    }
}

// Adds the chains that a chain waits for, by the loaded rows and the batch. Returns false if the
// list can be incomplete.
bool add_waits_of(const Workspace& workspace, const JobId& chain, std::vector<JobId>& to) {
    const Job* first = workspace.jobs.find(chain);
    const Job* last = first != nullptr ? last_of_chain(workspace, *first) : nullptr;
    if (last != nullptr && last->status != Status::blocked) {
        return true;
    }
    const auto& waits = workspace.waits();
    const auto [from, until] = std::equal_range(waits.begin(), waits.end(), chain, ByChain{});
    std::for_each(from, until, [&to](const Wait& wait) { to.push_back(wait.blocker); });
    const auto edges = last != nullptr ? workspace.edges_of_job(last->id) : std::vector<Edge>();
    add_open(edges, to);
    const bool has_all_edges =
        last != nullptr && edges.size() == static_cast<std::size_t>(last->blockers);
    return has_all_edges || workspace.waits_are_whole();
}

enum class Ring { none, closed, unknown };

// Searches for a ring: whether the job waits for its own chain, through other chains.
Ring search_ring(const Workspace& workspace, const Job& job) {
    std::vector<JobId> open;
    add_open(workspace.edges_of_job(job.id), open);
    std::unordered_set<JobId> seen;
    bool is_whole = true;
    while (!open.empty()) {
        const JobId at = open.back();
        open.pop_back();
        if (at == job.chain) {
            return Ring::closed;
        }
        if (seen.insert(at).second) {
            is_whole = add_waits_of(workspace, at, open) && is_whole;
        }
    }
    return is_whole ? Ring::none : Ring::unknown;
}

// Returns true if no job waits for the job's chain. Then no ring can lead back to it.
bool is_unwanted(const Workspace& workspace, const Job& job) {
    const Job* first = first_of_chain(workspace, job);
    return first != nullptr && first->blocks == 0;
}

Problem too_many_waits() {
    return {.code = ProblemCode::too_large,
            .detail = fmt::format("more than {} chains wait for one another behind these "
                                  "blockers; nothing was changed",
                                  kWaitsMax)};
}

Problem closes_ring(const Job& job) {
    return {.code = ProblemCode::cycle,
            .detail =
                "one of these blockers waits for this chain itself, so that neither would ever go "
                "on; nothing was changed",
            .existing_id = job.chain};
}

}  // namespace

void name_graph(const std::string& tenant, LoadSpec& spec) {
    spec.claims.push_back(graph_key(tenant).claim);
}

void name_waits(const StepRequest& step, const std::string& tenant, LoadSpec& spec) {
    if (may_meet(step)) {
        name_graph(tenant, spec);
        name_known(step, spec);
    }
}

void hold_graph(Workspace& workspace, const std::string& tenant) {
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
}

void hold_graph(Workspace& workspace, const std::string& tenant, const StepRequest& step) {
    if (may_meet(step)) {
        hold_graph(workspace, tenant);
    }
}

std::optional<Problem> check_cycle(const Workspace& workspace, const Job& job) {
    if (is_unwanted(workspace, job)) {
        return std::nullopt;
    }
    switch (search_ring(workspace, job)) {
        case Ring::none: break;
        case Ring::closed: return closes_ring(job);
        case Ring::unknown: return too_many_waits();
    }
    return std::nullopt;
}

}  // namespace semel
