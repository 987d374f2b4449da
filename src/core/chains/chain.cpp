#include "core/chains/chain.hpp"

#include <algorithm>

#include "core/actions/new_job.hpp"
#include "core/chains/blockers.hpp"
#include "core/chains/chain_key.hpp"
#include "core/chains/cycle.hpp"

namespace semel {
namespace {

// The default backoff of chains: the wait doubles from 10 s to 5 min. Retries are unlimited.
Backoff chain_backoff() {
    return {.kind = Backoff::Kind::exponential,
            .base = Millis(10'000),
            .factor = 2.0,
            .max = Millis(300'000)};
}

Time wanted_time(const StepRequest& step, Time now) {
    Time at = now;
    if (step.scheduled_at) {
        at = *step.scheduled_at;
    } else if (step.delay) {
        at = add_clamped(now, *step.delay);
    }
    return std::max(at, now);  // a past time means now
}

void set_options(Job& job, const StepRequest& step) {
    job.max_retries = step.options.max_retries.value_or(kUnlimitedRetries);
    job.backoff = step.options.backoff.value_or(chain_backoff());
    job.lock_group = step.options.lock_group.value_or("");
    job.timeout = step.options.timeout;
    job.priority = step.options.priority.value_or(0);
    job.on_blocker_failed = step.on_blocker_failed;
}

Job job_of(Workspace& workspace, const std::string& tenant, const StepRequest& step) {
    Job job = new_job(workspace, tenant, wanted_time(step, workspace.now()));
    if (step.id) {
        job.id = *step.id;
        job.chain = job.id;
    }
    job.in_chain = true;
    job.type = step.type;
    set_options(job, step);
    return job;
}

void inherit(Job& job, const Job& before, const WorkOptions& given) {
    if (!given.max_retries) job.max_retries = before.max_retries;
    if (!given.backoff) job.backoff = before.backoff;
    if (!given.lock_group) job.lock_group = before.lock_group;
    if (!given.timeout) job.timeout = before.timeout;
    if (!given.priority) job.priority = before.priority;
}

Problem id_is_taken(const StepRequest& step) {
    return {.code = ProblemCode::conflict,
            .detail = "this id is taken; leave `id` out, or make a new UUIDv7",
            .pointer = step.pointer + "/id"};
}

// Answers with the chain that has the wanted id, or refuses another request with this id.
Item<StartedChain> answer_id(const Workspace& workspace, const std::string& tenant,
                             const ChainRequest& request) {
    const StepRequest& step = request.first;
    const Job* first = find_chain(workspace, tenant, *step.id);
    if (first == nullptr || last_of_chain(workspace, *first) == nullptr) {
        return id_is_taken(step);
    }
    ChainView view = view_of_chain(workspace, *first);
    if (first->type != step.type || input_differs(view.input, step.input)) {
        return input_conflict(view, step);
    }
    return StartedChain{.chain = std::move(view), .deduplicated = true};
}

std::optional<Problem> add_first(Workspace& workspace, const std::string& tenant,
                                 const ChainRequest& request, JobId& id) {
    Job job = job_of(workspace, tenant, request.first);
    id = job.id;
    if (request.deduplication) {
        job.claim = request.deduplication->claim;
        job.unique_until = unique_until(*request.deduplication, workspace.now());
    }
    workspace.add_job(std::move(job), JobBody{request.first.input});
    if (request.deduplication) {
        if (auto problem = own_key(workspace, *request.deduplication, *workspace.jobs.find(id))) {
            return problem;
        }
    }
    return block_or_join(workspace, id, request.first);
}

Item<StartedChain> find_or_add(Workspace& workspace, const std::string& tenant,
                               const ChainRequest& request) {
    if (request.first.id && workspace.is_taken(*request.first.id)) {
        return answer_id(workspace, tenant, request);
    }
    if (request.deduplication) {
        KeyMeeting met = meet_key(workspace, *request.deduplication);
        if (auto* problem = std::get_if<Problem>(&met)) {
            return std::move(*problem);
        }
        if (const auto* match = std::get_if<ChainMatch>(&met)) {
            return answer_match(workspace, *match, request.first.input);
        }
    }
    JobId id;
    if (auto problem = add_first(workspace, tenant, request, id)) {
        return std::move(*problem);
    }
    return StartedChain{.chain = view_of_chain(workspace, *workspace.jobs.find(id))};
}

}  // namespace

const Job* first_of_chain(const Workspace& workspace, const Job& job) {
    return job.begins_chain() ? &job : workspace.jobs.find(job.chain);
}

const Job* last_of_chain(const Workspace& workspace, const Job& first) {
    return first.last ? workspace.jobs.find(*first.last) : &first;
}

const Job* find_chain(const Workspace& workspace, const std::string& tenant, const JobId& id) {
    const Job* first = workspace.jobs.find(id);
    return first != nullptr && first->tenant == tenant && first->begins_chain() ? first : nullptr;
}

ChainView view_of_chain(const Workspace& workspace, const Job& first) {
    ChainView view;
    view.first = first;
    view.last = *last_of_chain(workspace, first);
    const JobBody* input = workspace.bodies.find(first.id);
    SEMEL_ASSERT(input != nullptr);
    view.input = *input;
    if (const JobResult* result = workspace.results.find(view.last.id)) {
        view.result = *result;
    }
    return view;
}

void end_step(Workspace& workspace, const JobId& id) {
    Job& job = workspace.edit_job(id);
    if (job.next) {
        job.place = Place::retained;
        return;
    }
    const Job* first = first_of_chain(workspace, job);
    if (first == nullptr || first->blocks == 0) {
        return;
    }
    if (job.status == Status::completed) {
        job.place = Place::retained;
        release_dependants(workspace, job.chain);
    } else {
        job.place = Place::failing_dependants;
    }
}

Job with_options(const Job& before, const StepRequest& step) {
    Job job;
    set_options(job, step);
    inherit(job, before, step.options);
    return job;
}

std::optional<Problem> continue_chain(Workspace& workspace, const JobId& id,
                                      const StepRequest& step) {
    const Job before = *workspace.jobs.find(id);
    const Job* first = first_of_chain(workspace, before);
    if (step.id && workspace.is_taken(*step.id)) {
        Problem problem = id_is_taken(step);
        record_refusal(workspace, before.tenant, {.first = step}, problem);
        return problem;
    }
    Job job = job_of(workspace, before.tenant, step);
    inherit(job, before, step.options);
    job.chain = before.chain;
    job.chain_index = before.chain_index + 1;
    const JobId next = job.id;
    workspace.add_job(std::move(job), JobBody{step.input});
    workspace.edit_job(id).next = next;
    if (first != nullptr) {
        workspace.edit_job(first->id).last = next;
    }
    hold_graph(workspace, before.tenant, step);
    return block_or_join(workspace, next, step);
}

void name_step_rows(const StepRequest& step, const std::string& tenant, LoadSpec& spec) {
    if (step.id) {
        spec.wanted_ids.push_back(*step.id);
    }
    if (step.options.lock_group) {
        spec.groups.push_back({tenant, *step.options.lock_group});
    }
    for (const BlockerRequest& blocker : step.blockers) {
        if (const auto* existing = std::get_if<JobId>(&blocker)) {
            spec.jobs.push_back({.id = *existing, .stays = true, .chain = true});
        } else {
            name_chain_rows(*std::get<std::shared_ptr<const ChainRequest>>(blocker), tenant, spec);
        }
    }
}

void name_chain_rows(const ChainRequest& request, const std::string& tenant, LoadSpec& spec) {
    if (request.first.id) {
        spec.jobs.push_back({.id = *request.first.id, .body = true, .stays = true, .chain = true});
    }
    if (request.deduplication) {
        spec.claims.push_back(request.deduplication->claim);
    }
    name_step_rows(request.first, tenant, spec);
}

void name_continuation_rows(const Continuation& continuation, const std::string& tenant,
                            LoadSpec& spec) {
    name_step_rows(continuation.step, tenant, spec);
    name_waits(continuation.step, tenant, spec);
}

Item<StartedChain> start_chain(Workspace& workspace, const std::string& tenant,
                               const ChainRequest& request) {
    Item<StartedChain> answer = find_or_add(workspace, tenant, request);
    if (const auto* started = std::get_if<StartedChain>(&answer)) {
        record_start(workspace, tenant, request, *started);
    } else {
        record_refusal(workspace, tenant, request, std::get<Problem>(answer));
    }
    return answer;
}

}  // namespace semel
