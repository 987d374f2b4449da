// Decisions for chains: start, complete without a worker, cancel, delete, and fail the dependants
// of a failed chain.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/operate.hpp"
#include "core/actions/settle.hpp"
#include "core/chains/blockers.hpp"
#include "core/chains/chain.hpp"
#include "core/chains/chain_key.hpp"
#include "core/chains/deletion.hpp"
#include "core/decide.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

constexpr const char* kNoSuchChain = "there is no chain with this id";

Problem not_current(const Job& last, int index) {
    return {.code = ProblemCode::wrong_state,
            .detail = fmt::format("the chain's current job has chainIndex {}, not {}",
                                  last.chain_index, index),
            .existing_id = last.chain,
            .state = last.status};
}

// Returns the Problem if an unfinished job cannot be completed without a worker.
std::optional<Problem> check_completable(const Job& job) {
    if (job.status == Status::uncertain) {
        return Problem{
            .code = ProblemCode::wrong_state,
            .detail = "whether this job has taken effect is uncertain; resolve it instead",
            .existing_id = job.id,
            .state = job.status};
    }
    if (!job.predecessor) {
        return std::nullopt;
    }
    // The job would end before the attempt that it replaces.
    return Problem{.code = ProblemCode::wrong_state,
                   .detail =
                       "this action waits until the attempt of the one that it replaces has "
                       "ended; cancel that one first",
                   .existing_id = job.predecessor,
                   .state = job.status};
}

JobCall call_of(const CompleteChain& command, const JobId& id) {
    JobCall call;
    call.id = id;
    call.verb = Verb::complete;
    call.output = command.output;
    call.continue_with = command.continue_with;
    return call;
}

// Returns the unfinished jobs outside the deletion that wait for one of its chains.
std::vector<Uuid> dependants_of(const Workspace& workspace, const ChainDeletion& deletion) {
    std::unordered_set<JobId> inside;
    for (const auto& [chain, jobs] : deletion.chains) inside.insert(chain);
    std::vector<Uuid> found;
    for (const JobId& chain : inside) {
        for (const Edge& edge : workspace.edges_to_chain(chain)) {
            const Job* job = workspace.jobs.find(edge.key.blocked);
            if (job != nullptr && !is_final(job->status) && !inside.contains(job->chain)) {
                found.push_back(job->id);
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::optional<Problem> check_deletion(const Workspace& workspace, const ChainDeletion& deletion) {
    if (deletion.is_too_large) {
        return Problem{.code = ProblemCode::too_large,
                       .detail = fmt::format(
                           "this would delete more than {} jobs at once, or more than {} times "
                           "that one was to wait for a chain, or chains that wait for one another "
                           "more than {} deep; nothing was changed. Delete it in parts: without "
                           "`cascade`, then what it waited for; or leave it to retention",
                           kDeletedJobsMax, kDeletedEdgesMax, kDeletedLevelsMax)};
    }
    auto dependants = dependants_of(workspace, deletion);
    if (dependants.empty()) {
        return std::nullopt;
    }
    Problem problem{.code = ProblemCode::dependants,
                    .detail = fmt::format("unfinished jobs wait for what should be deleted ({} of "
                                          "them); cancel or complete them first. Nothing was "
                                          "changed",
                                          dependants.size())};
    dependants.resize(std::min<std::size_t>(dependants.size(), kBlocksMax));
    problem.dependants = std::move(dependants);
    return problem;
}

// Returns the jobs of a chain, with the jobs that an earlier command of the batch has made.
std::vector<JobId> steps_of(const Workspace& workspace, const Job& first) {
    std::vector<JobId> ids{first.id};
    for (const Job* job = &first; job != nullptr && job->next;) {
        ids.push_back(*job->next);
        job = workspace.jobs.find(ids.back());
    }
    return ids;
}

// Cancels an unfinished chain first, so that its lock group admits the next member.
std::optional<Problem> delete_chain(Workspace& workspace, const Job& first) {
    const Job* last = last_of_chain(workspace, first);
    if (last != nullptr && !is_final(last->status)) {
        if (auto problem = operate(workspace, *last, Operation::cancel, false)) {
            return problem;
        }
    }
    if (last != nullptr && is_final(last->status)) {
        leave_key_behind(workspace, first, *last);
    }
    for (const JobId& id : steps_of(workspace, first)) {
        if (workspace.jobs.find(id) != nullptr) delete_job(workspace, id);
    }
    return std::nullopt;
}

// Ends the running attempt, so that its worker loses the job.
void take_away(Workspace& workspace, const JobId& id) {
    if (workspace.jobs.find(id)->status == Status::running) {
        end_attempt(workspace, id, AttemptEnd::cancelled, "completed without its worker");
    }
    Job& job = workspace.edit_job(id);
    job.token = next_token(job.token, workspace.now());
}

}  // namespace

void name_rows(const StartChains& command, LoadSpec& spec) {
    for (const auto& item : command.items) {
        if (const auto* request = std::get_if<ChainRequest>(&item)) {
            name_chain_rows(*request, command.tenant, spec);
        }
    }
}

Reply<StartChains> decide(const StartChains& command, Workspace& workspace) {
    StartChains::Outcome answers;
    answers.reserve(command.items.size());
    for (const auto& item : command.items) {
        const auto* request = std::get_if<ChainRequest>(&item);
        if (request == nullptr) {
            answers.emplace_back(std::get<Problem>(item));
            continue;
        }
        workspace.begin_item();
        Item<StartedChain> answer = start_chain(workspace, command.tenant, *request);
        if (auto refusal = workspace.refusal_of_locked_item()) {
            answer = *std::move(refusal);
        } else if (std::holds_alternative<Problem>(answer)) {
            workspace.roll_back_item();
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

void name_rows(const CompleteChain& command, LoadSpec& spec) {
    spec.jobs.push_back({.id = command.chain, .chain = true});
    spec.steps.push_back({command.chain, command.chain_index});
    if (command.continue_with) {
        name_continuation_rows(*command.continue_with, command.tenant, spec);
    }
}

Reply<CompleteChain> decide(const CompleteChain& command, Workspace& workspace) {
    const Job* first = find_chain(workspace, command.tenant, command.chain);
    const Job* last = first != nullptr ? last_of_chain(workspace, *first) : nullptr;
    if (last == nullptr) {
        return not_found(kNoSuchChain);
    }
    const Job* job = workspace.find_step({command.chain, command.chain_index});
    if (job == nullptr) {
        return not_current(*last, command.chain_index);
    }
    const JobCall call = call_of(command, job->id);
    if (is_final(job->status)) {
        return answer_repeat(workspace, *job, call);
    }
    if (job->settling) {
        workspace.postpone();  // its owner's result comes first
        return JobAnswer{};
    }
    if (auto problem = check_completable(*job)) {
        return std::move(*problem);
    }
    take_away(workspace, job->id);
    if (auto problem = complete(workspace, call)) {
        return std::move(*problem);
    }
    remember(workspace, call);
    return answer_for(*workspace.jobs.find(call.id));
}

void name_rows(const CancelChain& command, LoadSpec& spec) {
    spec.jobs.push_back({.id = command.chain, .body = true, .claim = true, .chain = true});
}

Reply<CancelChain> decide(const CancelChain& command, Workspace& workspace) {
    const Job* first = find_chain(workspace, command.tenant, command.chain);
    const Job* last = first != nullptr ? last_of_chain(workspace, *first) : nullptr;
    if (last == nullptr) {
        return not_found(kNoSuchChain);
    }
    if (auto problem = operate(workspace, *last, Operation::cancel, false)) {
        return std::move(*problem);
    }
    return view_of_chain(workspace, *first);
}

void name_rows(const DeleteChain& command, LoadSpec& spec) {
    spec.queries.emplace_back(DeletionQuery{command.chain, command.cascade});
}

Reply<DeleteChain> decide(const DeleteChain& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    if (find_chain(workspace, command.tenant, command.chain) == nullptr) {
        return not_found(kNoSuchChain);
    }
    if (auto problem = check_deletion(workspace, *found.deletion)) {
        return std::move(*problem);
    }
    DeleteChain::Outcome gone;
    for (const auto& [chain, jobs] : found.deletion->chains) {
        const Job* first = workspace.jobs.find(chain);
        if (first == nullptr) {
            continue;
        }
        if (auto problem = delete_chain(workspace, *first)) {
            return std::move(*problem);
        }
        gone.push_back(chain);
    }
    if (std::ranges::find(gone, command.chain) == gone.end()) {
        workspace.wait_for_next_load();  // it began in this batch: what goes with it is not loaded
    }
    return gone;
}

void name_rows(const FailDependants& command, LoadSpec& spec) {
    spec.queries.emplace_back(FailingDependantsQuery{command.limit});
}

Reply<FailDependants> decide(const FailDependants& command, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    UpkeepOutcome outcome;
    outcome.more = found.jobs.size() >= static_cast<std::size_t>(command.limit);
    for (const JobId& id : found.jobs) {
        const Job* job = workspace.jobs.find(id);
        if (job != nullptr && job->place == Place::failing_dependants) {
            fail_dependants(workspace, *job);
            const Job* first = first_of_chain(workspace, *job);
            const bool is_retained =
                first == nullptr || first->blocks > 0;  // null: already deleted
            workspace.edit_job(id).place = is_retained ? Place::retained : Place::done;
            ++outcome.count;
        }
    }
    return outcome;
}

}  // namespace semel
