// The part of a climb for chains: their first and last jobs, their edges, and which chain waits for
// which.
#include <algorithm>

#include "core/limits.hpp"
#include "store/ladder/ladder_climb.hpp"

namespace semel::ladder {
namespace {

// Returns true if a retry can make the job wait again.
bool may_reopen(const Job& job) {
    return job.blockers_left > 0 && is_final(job.status) && job.status != Status::completed;
}

}  // namespace

void Climb::add_last(const JobId& first, Parts parts) {
    add_job(JobId(known_job(first).last.value_or(first)), parts);
}

void Climb::add_outcome(const JobId& id) {
    if (!is_final(known_job(id).status)) {
        return;
    }
    add_job(id, {.result = true});
    const auto next = known_job(id).next;
    if (next && add_job(*next, {.body = true}) && known_job(*next).blockers > 0) {
        for (const Edge& edge : rows_.edges_of_job(*next)) add_edge(edge);
    }
}

void Climb::add_step(const StepRef& step) {
    const auto id = step.index == 0 ? std::optional(step.chain) : rows_.step(step);
    if (!id) {
        return;
    }
    const bool is_here = add_job(*id, kInQueue);
    if (is_here) {
        add_outcome(*id);
    }
    // A step locked elsewhere is added too, so that a decision meets the lock instead of an absent
    // step. A chain's first job is found by its own id.
    if (is_here || step.index > 0) {
        loaded_.steps.emplace_back(step, *id);
    }
}

void Climb::add_edge(const Edge& edge) {
    if (edges_.insert(edge.key).second) {
        loaded_.edges.push_back(edge);
    }
}

std::size_t Climb::add_blockers_of(const JobId& id) {
    if (known_job(id).blockers == 0) {
        return 0;
    }
    const std::vector<Edge> edges = rows_.edges_of_job(id);
    for (const Edge& edge : edges) {
        add_edge(edge);
        if (add_job(edge.blocker, kRowOnly)) {
            add_last(edge.blocker, kRowOnly);
        }
    }
    return edges.size();
}

void Climb::add_firsts() {
    const std::size_t count = loaded_.jobs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Job& job = loaded_.jobs[i];
        if (!job.begins_chain() && known_.at(job.id).parts.queue) {
            add_job(JobId(job.chain), kRowOnly);
        }
    }
}

void Climb::add_dependants() {
    const std::size_t count = loaded_.jobs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Job& job = loaded_.jobs[i];
        // A completed chain stays completed, also if jobs have named it since.
        const bool may_end =
            !job.next && known_.at(job.id).parts.queue && job.status != Status::completed;
        if (!may_end || !has_dependants(job)) {
            continue;
        }
        for (const Edge& edge : rows_.edges_to_chain(JobId(job.chain))) {
            add_edge(edge);
            if (!edge.done) add_job(edge.key.blocked, kInQueue);
        }
    }
}

bool Climb::is_left_out(const JobId& id) const {
    const auto& left_out = loaded_.left_out;
    return std::find(left_out.begin(), left_out.end(), id) != left_out.end();
}

bool Climb::has_dependants(const Job& job) const {
    if (job.begins_chain()) {
        return job.blocks > 0;
    }
    const auto first = known_.find(job.chain);
    return first != known_.end() && first->second.index != kAbsent &&
           loaded_.jobs[first->second.index].blocks > 0;
}

// ---- deletion -----------------------------------------------------------------------------------

QueryResult Climb::answer(const DeletionQuery& query) {
    QueryResult result;
    ChainDeletion deletion;
    std::unordered_set<JobId> seen{query.chain};
    std::vector<JobId> level{query.chain};
    for (int depth = 0; !level.empty() && !deletion.is_too_large; ++depth) {
        if (depth == kDeletedLevelsMax) {
            deletion.is_too_large = true;
            break;
        }
        std::vector<JobId> below;
        for (const JobId& chain : level) {
            if (!deletion.is_too_large && add_job(chain, kInQueue)) {
                add_deleted(chain, query.cascade, deletion, below);
            }
        }
        std::erase_if(below, [&seen](const JobId& chain) { return !seen.insert(chain).second; });
        level = std::move(below);
    }
    result.deletion = std::move(deletion);
    return result;
}

void Climb::add_deleted(const JobId& chain, bool cascade, ChainDeletion& deletion,
                        std::vector<JobId>& below) {
    add_claim_of(chain);
    std::vector<JobId> jobs = rows_.steps(chain, static_cast<int>(kDeletedJobsMax));
    jobs.insert(jobs.begin(), chain);
    deletion.jobs += jobs.size();
    deletion.edges += static_cast<std::size_t>(known_job(chain).blocks);
    deletion.is_too_large = deletion.jobs > kDeletedJobsMax || deletion.edges > kDeletedEdgesMax;
    for (const JobId& id : jobs) {
        if (deletion.is_too_large || !add_job(id, kInQueue)) {
            continue;
        }
        deletion.edges += static_cast<std::size_t>(known_job(id).blockers);
        deletion.is_too_large = deletion.edges > kDeletedEdgesMax;
        if (deletion.is_too_large) {
            continue;
        }
        add_blockers_of(id);
        if (cascade && known_job(id).blockers > 0) {
            for (const Edge& edge : rows_.edges_of_job(id)) below.push_back(edge.blocker);
        }
    }
    if (known_job(chain).blocks > 0 && !deletion.is_too_large) {
        for (const Edge& edge : rows_.edges_to_chain(chain)) {
            add_edge(edge);
            add_job(edge.key.blocked, kRowOnly);
        }
    }
    deletion.chains.emplace_back(chain, std::move(jobs));
}

void Climb::add_waits() {
    std::unordered_set<JobId> seen;
    std::vector<JobId> open;
    for (const LoadSpec* spec : {&spec_, static_cast<const LoadSpec*>(&found_names_)}) {
        open.insert(open.end(), spec->waits_from.begin(), spec->waits_from.end());
        for (const ClaimId& claim : spec->waits_from_owners) {
            const auto at = claim_owners_.find(claim);
            if (at == claim_owners_.end() || !at->second) continue;
            open.insert(open.end(), at->second->begin(), at->second->end());
        }
        for (const JobRef& ref : spec->jobs) {
            const auto at = known_.find(ref.id);
            const bool is_known = at != known_.end() && at->second.index != kAbsent;
            if (!ref.blockers || !is_known || !may_reopen(known_job(ref.id))) continue;
            if (is_left_out(ref.id)) continue;
            for (const Edge& edge : rows_.edges_of_job(ref.id)) {
                if (!edge.done) open.push_back(edge.blocker);
            }
        }
    }
    while (!open.empty()) {
        const JobId chain = open.back();
        open.pop_back();
        if (!seen.insert(chain).second) {
            continue;
        }
        for (const JobId& blocker : rows_.waits_of(chain)) {
            loaded_.waits.push_back({chain, blocker});
            open.push_back(blocker);
        }
        if (loaded_.waits.size() > kWaitsMax) {
            loaded_.waits_are_whole = false;
            return;
        }
    }
}

}  // namespace semel::ladder
