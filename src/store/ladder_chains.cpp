// The part of a climb that chains need: their first and last jobs, their edges, who waits for whom.
#include "core/limits.hpp"
#include "store/ladder_climb.hpp"

namespace semel::ladder {

void Climb::add_last(const JobId& first, Parts parts) {
    add_job(JobId(known_job(first).last.value_or(first)), parts);
}

void Climb::add_outcome(const JobId& id) {
    if (!is_final(known_job(id).status)) {
        return;
    }
    add_job(id, {.result = true});
    if (const auto next = known_job(id).next) {
        add_job(*next, {.body = true});
    }
}

void Climb::add_step(const StepRef& step) {
    const auto id = step.index == 0 ? std::optional(step.chain) : rows_.step(step);
    if (id && add_job(*id, kInLine)) {
        add_outcome(*id);
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
        if (!job.begins_chain() && known_.at(job.id).parts.line) {
            add_job(JobId(job.chain), kRowOnly);
        }
    }
}

void Climb::add_dependants() {
    const std::size_t count = loaded_.jobs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Job job = loaded_.jobs[i];
        if (job.next || !known_.at(job.id).parts.line) {
            continue;
        }
        const auto first = known_.find(job.chain);
        const bool is_known = first != known_.end() && first->second.index != kAbsent;
        if (!is_known || known_job(job.chain).blocks == 0) {
            continue;
        }
        for (const Edge& edge : rows_.edges_to_chain(job.chain)) {
            add_edge(edge);
            if (!edge.done) add_job(edge.key.blocked, kInLine);
        }
    }
}

void Climb::add_waits() {
    std::unordered_set<JobId> seen;
    std::vector<JobId> open = spec_.waits_from;
    open.insert(open.end(), found_names_.waits_from.begin(), found_names_.waits_from.end());
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
