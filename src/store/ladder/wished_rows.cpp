#include "store/ladder/wished_rows.hpp"

#include <algorithm>

#include "store/ladder/locked_elsewhere.hpp"
#include "store/packing/job_columns.hpp"

namespace semel {
namespace {

// Returns the latest time in the rows. Another node's clock can be slightly ahead, and no row goes
// back.
Time latest_of(const Loaded& loaded) {
    Time latest = loaded.now;
    for (const Job& job : loaded.jobs) latest = std::max(latest, job.updated_at);
    for (const Claim& claim : loaded.claims) {
        latest = std::max(latest, claim.created_at);
        if (claim.effect) latest = std::max(latest, claim.effect->sealed_at.value_or(latest));
    }
    return latest;
}

}  // namespace

void WishedRows::guess(const LoadSpec& spec, const RememberedJobs& remembered, Time now) {
    for (const JobRef& ref : spec.jobs) {
        if (!ref.completed_by) continue;
        if (guesses_.contains(ref.id)) continue;
        if (auto job = remembered.find(ref.id, *ref.completed_by, now)) {
            guesses_.insert(ref.id);
            jobs_.values.emplace(ref.id, *std::move(job));
        }
    }
}

void WishedRows::fetch_guessed(const JobId& id) {
    if (guesses_.erase(id) > 0) {
        jobs_.values.erase(id);
    }
}

void WishedRows::know_ready(Job job, std::optional<JobBody> body) {
    const JobId id = job.id;
    jobs_.values.insert_or_assign(id, std::move(job));
    jobs_.locked.erase(id);
    guesses_.erase(id);
    bodies_.values[id] = std::move(body);
}

void WishedRows::know_owner(Job job, std::optional<JobBody> body) {
    const JobId id = job.id;
    if (jobs_.values.contains(id)) {
        return;
    }
    jobs_.values.insert_or_assign(id, std::move(job));
    bodies_.values[id] = std::move(body);
}

std::optional<Claim> WishedRows::claim(const ClaimId& id) {
    return claims_.row(id);
}

std::optional<FoundJob> WishedRows::job(const JobId& id, bool with_body) {
    if (with_body) fetch_guessed(id);
    const auto* found = jobs_.find(id);
    if (found == nullptr) {
        if (with_body) with_body_.insert(id);
        return std::nullopt;
    }
    if (!*found) {
        return std::nullopt;
    }
    return FoundJob{**found, with_body ? body(id) : std::nullopt};
}

std::optional<JobBody> WishedRows::body(const JobId& id) {
    fetch_guessed(id);
    const auto* found = bodies_.find(id);
    return found != nullptr ? *found : std::nullopt;
}

std::optional<JobResult> WishedRows::result(const JobId& id) {
    fetch_guessed(id);
    const auto* found = results_.find(id);
    return found != nullptr ? *found : std::nullopt;
}

std::optional<LockGroup> WishedRows::group(const GroupKey& key) {
    return groups_.row(key);
}

std::optional<Schedule> WishedRows::schedule(const ScheduleKey& key) {
    return schedules_.row(key);
}

std::optional<BulkRun> WishedRows::bulk_run(const Uuid& id) {
    return bulk_runs_.row(id);
}

std::optional<ApiToken> WishedRows::api_token(const Uuid& id) {
    return api_tokens_.row(id);
}

namespace {

// Returns the known answer, or an empty one.
template <typename Known, typename Key>
auto known_or_empty(Known& known, const Key& key) {
    const auto* found = known.find(key);
    return found != nullptr ? *found : std::decay_t<decltype(*found)>();
}

}  // namespace

std::optional<Content> WishedRows::content(const ClaimId& claim) {
    return known_or_empty(contents_, claim);
}

std::optional<Source> WishedRows::source(const SourceKey& key) {
    return sources_.row(key);
}

std::vector<Edge> WishedRows::edges_of_job(const JobId& blocked) {
    return known_or_empty(edges_of_job_, blocked);
}

std::vector<Edge> WishedRows::edges_to_chain(const JobId& blocker) {
    return known_or_empty(edges_to_chain_, blocker);
}

std::optional<JobId> WishedRows::step(const StepRef& step) {
    return known_or_empty(step_, std::pair(step.chain, step.index));
}

std::vector<JobId> WishedRows::steps(const JobId& chain, int limit) {
    return known_or_empty(steps_, std::pair(chain, limit));
}

std::vector<JobId> WishedRows::failing_dependants(int limit) {
    std::vector<JobId> ids = known_or_empty(failing_dependants_, limit);
    // Read without a lock: another node can have failed the dependants since.
    std::erase_if(ids, [&](const JobId& id) {
        const auto known = jobs_.values.find(id);
        return known != jobs_.values.end() &&
               (!known->second || known->second->place != Place::failing_dependants);
    });
    return ids;
}

std::vector<BlockerView> WishedRows::blocker_views(const JobId& job) {
    return known_or_empty(blocker_views_, job);
}

std::vector<JobId> WishedRows::waits_of(const JobId& chain) {
    return known_or_empty(waits_of_, chain);
}

bool WishedRows::is_taken(const JobId& id) {
    return known_or_empty(taken_, id);
}

std::optional<std::string> WishedRows::ready_tenant_after(
    const std::optional<std::string>& tenant) {
    const auto* found = next_tenant_.find(tenant.value_or(""));
    return found != nullptr ? *found : std::nullopt;
}

std::vector<ReadyEntry> WishedRows::ready(const std::string& tenant, const std::string& type,
                                          const std::optional<ReadyEntry>& after, int limit) {
    ReadyQueue& queue = ready_[{tenant, type}];
    const auto first = after ? std::upper_bound(queue.entries.begin(), queue.entries.end(), *after)
                             : queue.entries.begin();
    const auto there = std::min<std::ptrdiff_t>(limit, queue.entries.end() - first);
    if (there < limit && !queue.is_whole) {
        queue.wish = std::max(queue.wish, limit - static_cast<int>(there));
    }
    return {first, first + there};
}

std::vector<TimedJob> WishedRows::still_there(Limited& queue, int limit,
                                              std::optional<Time> (*stands_at)(const Job&)) const {
    const auto* read = queue.find(limit);
    if (read == nullptr) {
        return {};
    }
    std::vector<TimedJob> there;
    for (const TimedJob& entry : *read) {
        const auto known = jobs_.values.find(entry.id);
        // An unknown job is fetched, and compared in the next climb.
        if (known == jobs_.values.end() ||
            (known->second && stands_at(*known->second) == entry.at)) {
            there.push_back(entry);
        }
    }
    return there;
}

std::vector<TimedJob> WishedRows::later(int limit) {
    return still_there(later_, limit, [](const Job& job) {
        return job.place == Place::later ? std::optional(job.scheduled_at) : std::nullopt;
    });
}

std::vector<TimedJob> WishedRows::running(int limit) {
    return still_there(running_, limit, deadline_of);
}

std::vector<TimedJob> WishedRows::finished(int limit) {
    return still_there(finished_, limit, [](const Job& job) {
        return job.place == Place::done ? job.completed_at : std::nullopt;
    });
}

std::vector<Job> WishedRows::waiting(const GroupKey& key, int limit) {
    std::vector<Job> jobs;
    const auto* found = waiting_.find({key, limit});
    if (found == nullptr) {
        return jobs;
    }
    for (const JobId& id : *found) {
        if (auto job = jobs_.row(id)) {
            jobs.push_back(std::move(*job));
        } else if (jobs_.locked.contains(id)) {
            groups_.locked.insert(key);  // the next member is unknown
        }
    }
    return jobs;
}

std::vector<ClaimId> WishedRows::expired_claims(Time now, int limit) {
    expired_by_ = now;
    const auto* found = expired_claims_.find(limit);
    if (found == nullptr) {
        return {};
    }
    // Drops claims whose key was claimed again since.
    std::vector<ClaimId> expired;
    std::copy_if(found->begin(), found->end(), std::back_inserter(expired), [&](const ClaimId& id) {
        const auto known = claims_.values.find(id);
        return known == claims_.values.end() ||
               (known->second && known->second->expires_at && *known->second->expires_at <= now);
    });
    return expired;
}

std::vector<SourceKey> WishedRows::expired_sources(Time now, int limit) {
    expired_by_ = now;
    std::vector<SourceKey> expired = known_or_empty(expired_sources_, limit);
    // Drops sources that are locked elsewhere or were used again since.
    std::erase_if(expired, [&](const SourceKey& key) {
        const auto known = sources_.values.find(key);
        return known != sources_.values.end() &&
               (!known->second || known->second->expires_at > now);
    });
    return expired;
}

std::vector<Uuid> WishedRows::finished_bulk_runs(Time latest, int limit) {
    finished_by_ = latest;
    const auto* found = finished_bulk_runs_.find(limit);
    return found != nullptr ? *found : std::vector<Uuid>();
}

std::vector<DecisionRef> WishedRows::decisions_before(std::int64_t day, int limit) {
    decided_before_ = day;
    const auto* found = decisions_before_.find(limit);
    return found != nullptr ? *found : std::vector<DecisionRef>();
}

bool WishedRows::has_wishes() const {
    const bool any_ready = std::any_of(ready_.begin(), ready_.end(),
                                       [](const auto& queue) { return queue.second.wish > 0; });
    const auto any = [](const auto&... known) { return (!known.wishes.empty() || ...); };
    const bool asks_to_drain = wants_to_drain_ && !drains_;
    return any_ready || asks_to_drain ||
           any(claims_, contents_, sources_, expired_sources_, jobs_, bodies_, results_, groups_,
               schedules_, bulk_runs_, api_tokens_, next_tenant_, later_, running_, finished_,
               waiting_, expired_claims_, finished_bulk_runs_, decisions_before_, outbox_,
               expired_responses_, outbox_results_before_, edges_of_job_, edges_to_chain_, step_,
               steps_, failing_dependants_, blocker_views_, waits_of_, taken_);
}

LockedElsewhere WishedRows::locked() const {
    return {.claims = listed(claims_.locked),
            .jobs = listed(jobs_.locked),
            .groups = listed(groups_.locked),
            .schedules = listed(schedules_.locked),
            .bulk_runs = listed(bulk_runs_.locked),
            .api_tokens = listed(api_tokens_.locked),
            .sources = listed(sources_.locked)};
}

std::vector<JobId> WishedRows::running_heads() const {
    std::vector<JobId> heads;
    for (const auto& [key, group] : groups_.values) {
        const bool runs = group && running_heads_.contains(group->head);
        if (runs && jobs_.locked.contains(group->head)) heads.push_back(group->head);
    }
    return heads;
}

// ---- the outbox -------------------------------------------------------------------------------

std::vector<OutboxEntry> WishedRows::outbox(int limit, const std::vector<std::int64_t>& skip) {
    wants_to_drain_ = true;
    if (!drains_.value_or(false)) {
        return {};
    }
    const auto* found = outbox_.find({limit, skip});
    return found != nullptr ? *found : std::vector<OutboxEntry>();
}

std::vector<Uuid> WishedRows::expired_responses(Time now, int limit) {
    responses_by_ = now;
    const auto* found = expired_responses_.find(limit);
    return found != nullptr ? *found : std::vector<Uuid>();
}

std::vector<Uuid> WishedRows::outbox_results_before(Time time, int limit) {
    results_before_ = time;
    const auto* found = outbox_results_before_.find(limit);
    return found != nullptr ? *found : std::vector<Uuid>();
}

// ---- the whole of it --------------------------------------------------------------------------

Loaded answer_of(Loaded climbed, const WishedRows& rows) {
    climbed.locked_elsewhere = rows.locked();
    climbed.running_heads = rows.running_heads();
    spread_locks(climbed);
    climbed.now = latest_of(climbed);
    return climbed;
}

}  // namespace semel
