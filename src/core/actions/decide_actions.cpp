#include <algorithm>

#include <fmt/format.h>

#include "core/actions/attempt_end.hpp"
#include "core/actions/new_job.hpp"
#include "core/actions/queue.hpp"
#include "core/decide.hpp"
#include "core/keys/decide_duplicate.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

Time wanted_time(const ActionRequest& request, Time now) {
    Time at = now;
    if (request.scheduled_at) {
        at = *request.scheduled_at;
    } else if (request.delay) {
        at = add_clamped(now, *request.delay);
    }
    const auto& wanted = request.deduplication;
    if (wanted && wanted->on_duplicate == OnDuplicate::debounce) {
        at = std::max(at, add_clamped(now, wanted->window));
    }
    return std::max(at, now);  // a past time means now
}

Job job_of(Workspace& workspace, const std::string& tenant, const ActionRequest& request) {
    Job job = new_job(workspace, tenant, wanted_time(request, workspace.now()));
    if (request.id) {
        job.id = *request.id;
        job.chain = job.id;
    }
    job.type = request.type;
    job.lock_group = request.lock_group.value_or("");
    job.max_retries = request.max_retries.value_or(job.max_retries);
    job.backoff = request.backoff.value_or(Backoff{});
    job.timeout = request.timeout;
    job.priority = request.priority.value_or(0);
    if (request.deduplication) {
        job.claim = request.deduplication->claim;
        job.unique_until = add_clamped(workspace.now(), request.deduplication->window);
    }
    return job;
}

// Returns the owners of the key that have not ended.
std::vector<Owner> open_owners(const Workspace& workspace, const ClaimId& id) {
    std::vector<Owner> open;
    const Claim* claim = workspace.claims.find(id);
    if (claim != nullptr) {
        for (const Owner& owner : claim->owners) {
            const Job* job = workspace.jobs.find(owner.job);
            if (job != nullptr && !is_final(job->status)) {
                open.push_back(owner);
            }
        }
    }
    return open;
}

// Makes the job the newest owner of the key. Unfinished owners stay.
void own(Workspace& workspace, const Deduplication& wanted, const Job& job, bool is_successor) {
    const Claim* before = workspace.claims.find(wanted.claim);
    Claim claim;
    claim.id = wanted.claim;
    claim.tenant = job.tenant;
    claim.space = "actions";
    claim.full_key = wanted.full_key;
    claim.token = next_token(before != nullptr ? before->token : Token::none, workspace.now());
    claim.created_at = before != nullptr ? before->created_at : workspace.now();
    claim.owners = open_owners(workspace, wanted.claim);
    claim.owners.push_back({job.id, workspace.now(), is_successor});
    workspace.claims.put(wanted.claim, std::move(claim));
}

// Adds a new action. `successor_of`: the action from which it takes the key over.
ScheduledAction add_action(Workspace& workspace, const std::string& tenant,
                           const ActionRequest& request, const std::optional<JobId>& predecessor,
                           const std::optional<JobId>& successor_of = {}) {
    Job job = job_of(workspace, tenant, request);
    job.predecessor = predecessor;
    const JobId id = job.id;
    workspace.add_job(std::move(job), JobBody{request.payload});
    join_queue(workspace, id);
    if (request.deduplication) {
        own(workspace, *request.deduplication, *workspace.jobs.find(id), successor_of.has_value());
    }
    ScheduledAction answer;
    answer.action = view_of(workspace, id);
    answer.successor_of = successor_of;
    return answer;
}

// A frozen payload is never replaced and never overtaken: the request waits outside every line
// until the running attempt has ended. Where none runs, the old action is over now.
ScheduledAction add_successor(Workspace& workspace, const std::string& tenant,
                              const ActionRequest& request, const JobId& frozen) {
    const bool runs = workspace.jobs.find(frozen)->status == Status::running;
    ScheduledAction answer =
        add_action(workspace, tenant, request, runs ? std::optional(frozen) : std::nullopt, frozen);
    const JobId successor = answer.action.job.id;
    if (runs) {
        workspace.edit_job(frozen).successor = successor;
    } else if (workspace.jobs.find(frozen)->status == Status::pending) {
        workspace.edit_job(frozen).superseded_by = successor;
        finish(workspace, frozen, Status::superseded);
        answer.action = view_of(workspace, successor);  // it may have become its group's head
    }
    return answer;
}

ScheduledAction answer_purged(const MeetsPurged& met) {
    ScheduledAction answer;
    answer.decision = Decision::duplicate;
    answer.purged = true;
    answer.action.job.id = met.job;
    answer.action.job.status = met.status;
    return answer;
}

// A refusal of the request, which is no decision about its key.
constexpr std::string_view kTooManyOwners = "too_many_owners";

Problem too_many_owners() {
    return {
        .code = ProblemCode::too_large,
        .detail = fmt::format("this key has {} unfinished actions already; let some end, or use "
                              "a longer window so that requests meet",
                              kOpenOwnersMax)};
}

struct Decided {
    Item<ScheduledAction> answer;
    std::string_view rule;
};

Decided schedule_one(Workspace& workspace, const std::string& tenant,
                     const ActionRequest& request) {
    if (!request.deduplication) {
        return {add_action(workspace, tenant, request, std::nullopt), "no_key"};
    }
    const Meeting meeting = meet(workspace, *request.deduplication);
    const bool adds = std::holds_alternative<MeetsNothing>(meeting) ||
                      std::holds_alternative<MeetsFrozen>(meeting);
    if (adds && open_owners(workspace, request.deduplication->claim).size() >= kOpenOwnersMax) {
        return {too_many_owners(), kTooManyOwners};
    }
    if (const auto* met = std::get_if<MeetsNothing>(&meeting)) {
        return {add_action(workspace, tenant, request, std::nullopt), met->rule};
    }
    if (const auto* met = std::get_if<MeetsUntaken>(&meeting)) {
        const auto policy = request.deduplication->on_duplicate;
        return {fold(workspace, request, met->job), to_string(policy)};
    }
    if (const auto* met = std::get_if<MeetsFrozen>(&meeting)) {
        return {add_successor(workspace, tenant, request, met->job), "successor"};
    }
    if (const auto* met = std::get_if<MeetsSame>(&meeting)) {
        return {answer_same(workspace, request, met->job), met->rule};
    }
    if (const auto* met = std::get_if<MeetsPurged>(&meeting)) {
        return {answer_purged(*met), "purged"};
    }
    return {std::get<Problem>(meeting), "uncertain"};
}

void record_decision(Workspace& workspace, const std::string& tenant, const ActionRequest& request,
                     const Decided& decided) {
    DecisionEntry entry;
    entry.at = workspace.now();
    entry.tenant = tenant;
    entry.surface = "actions";
    entry.type = request.type;
    entry.rule = decided.rule;
    entry.source_type = request.source_type;
    entry.source_id = request.source_id;
    if (request.deduplication) {
        entry.claim = request.deduplication->claim;
        entry.key = request.deduplication->full_key;
    }
    if (const auto* answer = std::get_if<ScheduledAction>(&decided.answer)) {
        entry.decision = answer->decision;
        entry.effect_id = answer->action.job.id;
        entry.token = answer->action.job.token;
        entry.replaced = answer->replaced;
    } else {
        const Problem& problem = std::get<Problem>(decided.answer);
        entry.decision = Decision::conflict;
        entry.effect_id = problem.existing_id.value_or(Uuid{});
        entry.diff_bytes = problem.diff_json.size();
    }
    workspace.record(std::move(entry));
}

}  // namespace

void name_rows(const ScheduleActions& command, LoadSpec& spec) {
    for (const auto& item : command.items) {
        const auto* request = std::get_if<ActionRequest>(&item);
        if (request == nullptr) {
            continue;
        }
        if (request->deduplication) {
            spec.claims.push_back(request->deduplication->claim);
        }
        if (request->lock_group) {
            spec.groups.push_back({command.tenant, *request->lock_group});
        }
    }
}

Reply<ScheduleActions> decide(const ScheduleActions& command, Workspace& workspace) {
    ScheduleActions::Outcome answers;
    answers.reserve(command.items.size());
    for (const auto& item : command.items) {
        const auto* request = std::get_if<ActionRequest>(&item);
        if (request == nullptr) {
            answers.emplace_back(std::get<Problem>(item));
            continue;
        }
        workspace.begin_item();
        Decided decided = schedule_one(workspace, command.tenant, *request);
        if (auto refusal = workspace.refusal_of_locked_item()) {
            answers.emplace_back(*std::move(refusal));
            continue;
        }
        if (std::holds_alternative<Problem>(decided.answer)) {
            workspace.roll_back_item();
        }
        if (decided.rule != kTooManyOwners) {
            record_decision(workspace, command.tenant, *request, decided);
        }
        answers.push_back(std::move(decided.answer));
    }
    return answers;
}

}  // namespace semel
