#include "core/keys/decide_duplicate.hpp"

#include <algorithm>

#include "core/actions/queue.hpp"
#include "core/json/canonical_json.hpp"
#include "core/json/json_diff.hpp"

namespace semel {
namespace {

// Windows are half-open: a duplicate while now − start < window. A successor's window does not end
// while it waits.
bool in_window(const Owner& owner, const Job& job, const Deduplication& wanted, Time now) {
    if (job.place == Place::predecessor) {
        return true;
    }
    // A `maxWait` below the window does not shorten the first window.
    const Millis open_for = std::max(wanted.window, wanted.max_wait);
    if (wanted.on_duplicate == OnDuplicate::debounce && now >= job.created_at + open_for) {
        return false;
    }
    return now - owner.window_from < wanted.window;
}

// A key is forgotten a while after its owner ended, whether or not a sweeper came by.
bool is_forgotten(const Job& owner, const Workspace& workspace) {
    const auto& retention = workspace.settings().key_retention;
    return owner.completed_at && retention && workspace.now() >= *owner.completed_at + *retention;
}

Meeting meet_started(const Job& owner, Scope scope) {
    if (scope == Scope::pending) {
        return MeetsFrozen{owner.id};
    }
    if (owner.status == Status::uncertain) {
        return Problem{.code = ProblemCode::uncertain,
                       .detail =
                           "the action that holds this key may or may not have taken effect; "
                           "resolve it first",
                       .existing_id = owner.id};
    }
    return MeetsSame{owner.id, "started"};
}

// Decides for a newest owner whose rows are deleted. If a damaged store has lost them, its end is
// unknown, and it does not hold the key.
Meeting meet_purged(const Claim& claim, const Deduplication& wanted, Time now) {
    if (!claim.purged_as) {
        return MeetsNothing{"ended"};
    }
    if (claim.expires_at && now >= *claim.expires_at) {
        return MeetsNothing{"forgotten"};
    }
    if (wanted.scope != Scope::any || now - claim.newest().window_from >= wanted.window) {
        return MeetsNothing{"ended"};
    }
    return MeetsPurged{claim.newest().job, *claim.purged_as};
}

Meeting meet_owner(const Workspace& workspace, const Owner& owner, const Job& job,
                   const Deduplication& wanted) {
    if (is_forgotten(job, workspace)) {
        return MeetsNothing{"forgotten"};
    }
    if (!in_window(owner, job, wanted, workspace.now())) {
        return MeetsNothing{"window_over"};
    }
    if (!is_final(job.status)) {
        return job.was_taken() ? meet_started(job, wanted.scope) : Meeting(MeetsUntaken{job.id});
    }
    if (wanted.scope != Scope::any) {
        return MeetsNothing{"ended"};
    }
    const auto& newer = job.superseded_by;
    const bool is_known = newer && workspace.jobs.find(*newer) != nullptr;
    return MeetsSame{is_known ? *newer : job.id, "ended"};
}

struct Comparison {
    json::Document first;
    json::Document second;

    // Both payloads are valid JSON.
    Comparison(const std::string& a, const std::string& b)
        : first(*json::Document::parse(a)), second(*json::Document::parse(b)) {}
};

bool payload_differs(const Workspace& workspace, const JobId& id, const std::string& payload) {
    const JobBody* body = workspace.bodies.find(id);
    SEMEL_ASSERT(body != nullptr);
    if (body->payload == payload) {
        return false;
    }
    const Comparison compared(body->payload, payload);
    return !same_content(compared.first.root(), compared.second.root());
}

Problem payload_conflict(const Workspace& workspace, const JobId& id, const std::string& payload) {
    const Comparison compared(workspace.bodies.find(id)->payload, payload);
    DiffResult diff = json_diff(compared.first.root(), compared.second.root());
    return {.code = ProblemCode::conflict,
            .detail =
                "an action with this key and another payload exists; nothing was changed. Send "
                "the same payload, or another key",
            .existing_id = id,
            .state = workspace.jobs.find(id)->status,
            .diff_json = std::move(diff.patch_json),
            .diff_truncated = diff.truncated};
}

// Returns the names of given options whose values the existing job does not have.
std::vector<std::string> ignored_options(const ActionRequest& request, const Job& job, Time now) {
    std::vector<std::string> ignored;
    const auto check = [&](const char* name, bool differs) {
        if (differs) {
            ignored.emplace_back(name);
        }
    };
    const bool debounce = request.deduplication->on_duplicate == OnDuplicate::debounce;
    const auto moved = [&](Time wanted) { return debounce || wanted != job.scheduled_at; };
    check("scheduledAt", request.scheduled_at && moved(*request.scheduled_at));
    check("delayMs", request.delay && moved(now + *request.delay));
    check("lockGroup", request.lock_group && *request.lock_group != job.lock_group);
    check("maxRetries", request.max_retries && *request.max_retries != job.max_retries);
    check("backoff", request.backoff && *request.backoff != job.backoff);
    check("timeoutMs", request.timeout && request.timeout != job.timeout);
    check("priority", request.priority && *request.priority != job.priority);
    return ignored;
}

// Writes nothing if the payload is unchanged, as in most duplicates.
void replace_payload(Workspace& workspace, const JobId& id, const std::string& payload) {
    const JobBody* body = workspace.bodies.find(id);
    if (body != nullptr && body->payload == payload) {
        return;
    }
    workspace.bodies.put(id, JobBody{payload});
    workspace.edit_job(id).updated_at = workspace.now();
}

// Moves the job to now + window and restarts the window, at most to createdAt + maxWait, and never
// to an earlier time.
void debounce(Workspace& workspace, const Deduplication& wanted, const JobId& id) {
    const Time latest = add_clamped(workspace.jobs.find(id)->created_at, wanted.max_wait);
    const Time pushed = std::min(add_clamped(workspace.now(), wanted.window), latest);
    leave_queue(workspace, id);
    Job& job = workspace.edit_job(id);
    job.scheduled_at = std::max(job.scheduled_at, pushed);
    job.unique_until = std::max(job.unique_until.value_or(pushed), pushed);
    job.updated_at = workspace.now();
    join_queue(workspace, id);
    auto& owners = workspace.claims.edit(wanted.claim).owners;
    const auto owner =
        std::find_if(owners.begin(), owners.end(), [&](const Owner& one) { return one.job == id; });
    SEMEL_ASSERT(owner != owners.end());
    owner->window_from = workspace.now();
}

}  // namespace

Meeting meet(const Workspace& workspace, const Deduplication& wanted) {
    const Claim* claim = workspace.claims.find(wanted.claim);
    if (claim == nullptr) {
        return MeetsNothing{"first"};
    }
    SEMEL_ASSERT(claim->full_key == wanted.full_key);
    if (claim->state == ClaimState::free) {
        return MeetsNothing{"free"};  // an operator's doing
    }
    SEMEL_ASSERT(!claim->owners.empty());
    // The newest owner that counts decides. If none counts, the newest one gives the reason.
    std::optional<Meeting> newest;
    for (auto owner = claim->owners.rbegin(); owner != claim->owners.rend(); ++owner) {
        const Job* job = workspace.jobs.find(owner->job);
        Meeting met = job == nullptr ? meet_purged(*claim, wanted, workspace.now())
                                     : meet_owner(workspace, *owner, *job, wanted);
        if (!std::holds_alternative<MeetsNothing>(met)) {
            return met;
        }
        if (!newest) {
            newest = std::move(met);
        }
    }
    return std::move(*newest);
}

Item<ScheduledAction> fold(Workspace& workspace, const ActionRequest& request, const JobId& id) {
    const Deduplication& wanted = *request.deduplication;
    if (wanted.on_duplicate == OnDuplicate::keep || wanted.on_duplicate == OnDuplicate::reject) {
        return answer_same(workspace, request, id);
    }
    ScheduledAction answer;
    answer.decision = Decision::duplicate;
    answer.replaced = true;
    answer.ignored = ignored_options(request, *workspace.jobs.find(id), workspace.now());
    replace_payload(workspace, id, request.payload);
    if (wanted.on_duplicate == OnDuplicate::debounce) {
        debounce(workspace, wanted, id);
    }
    answer.action = view_of(workspace, id);
    return answer;
}

Item<ScheduledAction> answer_same(const Workspace& workspace, const ActionRequest& request,
                                  const JobId& id) {
    const bool differs = payload_differs(workspace, id, request.payload);
    if (differs && request.deduplication->on_duplicate == OnDuplicate::reject) {
        return payload_conflict(workspace, id, request.payload);
    }
    ScheduledAction answer;
    answer.decision = Decision::duplicate;
    answer.payload_differs = differs;
    answer.action = view_of(workspace, id);
    answer.ignored = ignored_options(request, answer.action.job, workspace.now());
    return answer;
}

ActionView view_of(const Workspace& workspace, const JobId& id) {
    ActionView view;
    const Job* job = workspace.jobs.find(id);
    SEMEL_ASSERT(job != nullptr);
    const JobBody* body = workspace.bodies.find(id);
    SEMEL_ASSERT(body != nullptr);
    view.job = *job;
    view.body = *body;
    if (const JobResult* result = workspace.results.find(id)) {
        view.result = *result;
    }
    return view;
}

}  // namespace semel
