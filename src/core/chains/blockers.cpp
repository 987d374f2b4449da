#include "core/chains/blockers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/queue.hpp"
#include "core/chains/chain.hpp"
#include "core/chains/cycle.hpp"

namespace semel {
namespace {

Problem no_such_chain(std::string pointer) {
    Problem problem = not_found("there is no chain with this id to wait for");
    problem.pointer = std::move(pointer);
    return problem;
}

Problem blocks_too_many(const JobId& chain, std::string pointer) {
    return {.code = ProblemCode::too_large,
            .detail = fmt::format("{} jobs wait for this chain already, which is the most there "
                                  "may be",
                                  kBlocksMax),
            .pointer = std::move(pointer),
            .existing_id = chain};
}

// Returns the chain of a blocker, and starts it if it does not exist.
Item<JobId> resolve(Workspace& workspace, const std::string& tenant, const BlockerRequest& blocker,
                    const std::string& pointer) {
    if (const auto* existing = std::get_if<JobId>(&blocker)) {
        return find_chain(workspace, tenant, *existing) != nullptr
                   ? Item<JobId>(*existing)
                   : Item<JobId>(no_such_chain(pointer));
    }
    auto started =
        start_chain(workspace, tenant, *std::get<std::shared_ptr<const ChainRequest>>(blocker));
    if (auto* problem = std::get_if<Problem>(&started)) {
        return std::move(*problem);
    }
    const StartedChain& chain = std::get<StartedChain>(started);
    return chain.purged ? Item<JobId>(no_such_chain(pointer)) : Item<JobId>(chain.chain.first.id);
}

// The state of the chains that a job waits for.
struct Standing {
    int left = 0;
    std::optional<JobId> failed = {};
};

void add_to(Standing& standing, const Edge& edge, const Job* last) {
    if (edge.done) {
        return;
    }
    ++standing.left;
    const bool is_over = last == nullptr || is_final(last->status);
    if (is_over && !standing.failed) {
        standing.failed = edge.blocker;
    }
}

std::optional<Problem> add_blocker(Workspace& workspace, const EdgeKey& key, const JobId& chain,
                                   const std::string& pointer, Standing& standing) {
    const Job* first = workspace.jobs.find(chain);
    const Job* last = last_of_chain(workspace, *first);
    if (last == nullptr) {
        return no_such_chain(pointer);
    }
    const bool is_done = last->status == Status::completed;
    if (first->blocks >= kBlocksMax && !is_done) {  // its end would have to release them
        return blocks_too_many(chain, pointer);
    }
    ++workspace.edit_job(chain).blocks;
    if (last->place == Place::done) {
        workspace.edit_job(last->id).place = Place::retained;  // kept as long as this job
    }
    const Edge edge{key, chain, is_done};
    workspace.add_edge(edge);
    add_to(standing, edge, last);
    return std::nullopt;
}

void fail_blocked(Workspace& workspace, const JobId& id, const JobId& blocker) {
    workspace.set_result(
        id, JobResult{.output = {},
                      .error_message = fmt::format("chain {}, which it waited for, did not "
                                                   "complete",
                                                   blocker.to_string()),
                      .error_code = "blocker_failed"});
    finish(workspace, id, Status::failed);
}

// Sets the job's status and queue by its open blockers. REQUIRES: the job is in no queue.
void take_place(Workspace& workspace, const JobId& id, const Standing& standing) {
    Job& job = workspace.edit_job(id);
    job.blockers_left = standing.left;
    if (standing.left == 0) {
        join_queue(workspace, id);
        return;
    }
    job.status = Status::blocked;
    job.place = Place::blocked;
    if (standing.failed && job.on_blocker_failed == OnBlockerFailed::fail) {
        fail_blocked(workspace, id, *standing.failed);
    }
}

void count_down(Workspace& workspace, const JobId& blocked) {
    const Job* found = workspace.jobs.find(blocked);
    if (found == nullptr) {
        return;
    }
    Job& job = workspace.edit_job(blocked);
    job.blockers_left = std::max(job.blockers_left - 1, 0);
    if (job.status != Status::blocked || job.blockers_left > 0) {
        return;
    }
    job.status = Status::pending;
    job.scheduled_at = std::max(job.scheduled_at, workspace.now());
    job.updated_at = workspace.now();
    join_queue(workspace, blocked);
}

}  // namespace

std::optional<Problem> block_or_join(Workspace& workspace, const JobId& id,
                                     const StepRequest& step) {
    Standing standing;
    int position = 0;
    for (const BlockerRequest& blocker : step.blockers) {
        const std::string pointer = fmt::format("{}/blockers/{}", step.pointer, position);
        const std::string tenant = workspace.jobs.find(id)->tenant;
        auto chain = resolve(workspace, tenant, blocker, pointer);
        if (auto* problem = std::get_if<Problem>(&chain)) {
            return std::move(*problem);
        }
        if (auto problem =
                add_blocker(workspace, {id, position}, std::get<JobId>(chain), pointer, standing)) {
            return problem;
        }
        ++position;
    }
    workspace.edit_job(id).blockers = position;
    if (auto problem = check_cycle(workspace, *workspace.jobs.find(id))) {
        problem->pointer = step.pointer + "/blockers";
        return problem;
    }
    take_place(workspace, id, standing);
    return std::nullopt;
}

void reopen_by_blockers(Workspace& workspace, const JobId& id) {
    Standing standing;
    for (Edge edge : workspace.edges_of_job(id)) {
        const Job* first = workspace.jobs.find(edge.blocker);
        const Job* last = first != nullptr ? last_of_chain(workspace, *first) : nullptr;
        if (!edge.done && last != nullptr && last->status == Status::completed) {
            edge.done = true;
            workspace.edges.edit(edge.key).done = true;
        }
        add_to(standing, edge, last);
    }
    take_place(workspace, id, standing);
}

void release_dependants(Workspace& workspace, const JobId& chain) {
    for (const Edge& edge : workspace.edges_to_chain(chain)) {
        if (!edge.done) {
            workspace.edges.edit(edge.key).done = true;
            count_down(workspace, edge.key.blocked);
        }
    }
}

void fail_dependants(Workspace& workspace, const Job& last) {
    const JobId chain = last.chain;
    for (const Edge& edge : workspace.edges_to_chain(chain)) {
        const Job* job = workspace.jobs.find(edge.key.blocked);
        if (!edge.done && job != nullptr && job->status == Status::blocked &&
            job->on_blocker_failed == OnBlockerFailed::fail) {
            fail_blocked(workspace, job->id, chain);
        }
    }
}

void forget_blockers(Workspace& workspace, const JobId& id) {
    for (const Edge& edge : workspace.edges_of_job(id)) {
        const Job* first = workspace.jobs.find(edge.blocker);
        if (first == nullptr) {
            continue;
        }
        const int blocks = --workspace.edit_job(first->id).blocks;
        const Job* last = last_of_chain(workspace, *first);
        if (blocks == 0 && last != nullptr && last->place == Place::retained) {
            workspace.edit_job(last->id).place = Place::done;
        }
    }
}

}  // namespace semel
