#include "store/memory/memory_tables.hpp"

#include <algorithm>

namespace semel::memory {
namespace {

template <typename Map>
std::optional<typename Map::mapped_type> find(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? std::nullopt : std::optional(at->second);
}

std::vector<TimedJob> first_of(const std::set<TimedJob>& queue, int limit) {
    std::vector<TimedJob> first;
    for (const TimedJob& entry : queue) {
        if (first.size() >= static_cast<std::size_t>(limit)) break;
        first.push_back(entry);
    }
    return first;
}

Time deadline_of(const Lease& lease) {
    return std::min(lease.until, lease.timeout_at.value_or(lease.until));
}

std::optional<std::pair<Uuid, Time>> slot_of(const Job& job) {
    if (!job.occurrence || !job.occurrence->slot) {
        return std::nullopt;
    }
    return std::pair(job.occurrence->schedule, *job.occurrence->slot);
}

ReadyEntry ready_entry(const Job& job) {
    return {-job.priority, job.scheduled_at, job.id};
}

// Returns true if each inserted row is absent, and each changed or deleted row exists.
template <typename Map, typename Row, typename KeyOf>
bool is_possible(const Map& map, const std::vector<Change<Row>>& changes, KeyOf key_of) {
    return std::all_of(changes.begin(), changes.end(), [&](const Change<Row>& change) {
        const auto& key = key_of(change.before ? *change.before : *change.after);
        return map.contains(key) == change.before.has_value();
    });
}

template <typename Map, typename Row, typename KeyOf>
void apply_plainly(Map& map, const std::vector<Change<Row>>& changes, KeyOf key_of) {
    for (const auto& change : changes) {
        if (change.after) {
            map.insert_or_assign(key_of(*change.after), *change.after);
        } else {
            map.erase(key_of(*change.before));
        }
    }
}

constexpr auto kId = [](const auto& row) -> const auto& {
    return row.id;
};
constexpr auto kKey = [](const auto& row) -> const auto& {
    return row.key;
};

}  // namespace

Result<void> MemoryTables::check(const Changes& changes) const {
    const bool appended =
        std::none_of(changes.attempts.begin(), changes.attempts.end(), [&](const Attempt& attempt) {
            return attempts_.contains({attempt.job, attempt.token});
        });
    if (appended && is_possible(claims_, changes.claims, kId) &&
        is_possible(sources_, changes.sources, kKey) && is_possible(jobs_, changes.jobs, kId) &&
        is_possible(groups_, changes.groups, kKey) && is_possible(edges_, changes.edges, kKey) &&
        are_steps_free(changes) && is_possible(schedules_, changes.schedules, kKey) &&
        is_possible(bulk_runs_, changes.bulk_runs, kId) && are_slots_free(changes) &&
        is_possible(api_tokens_, changes.api_tokens, kId)) {
        return {};
    }
    return Error(ErrorCode::corrupt, "a change does not fit the rows that are there");
}

// (schedule, slot) is unique.
bool MemoryTables::are_slots_free(const Changes& changes) const {
    std::set<std::pair<Uuid, Time>> left;
    std::set<std::pair<Uuid, Time>> taken;
    for (const auto& change : changes.jobs) {
        if (const auto slot = change.before ? slot_of(*change.before) : std::nullopt) {
            left.insert(*slot);
        }
    }
    return std::all_of(changes.jobs.begin(), changes.jobs.end(), [&](const Change<Job>& change) {
        const auto slot = change.after ? slot_of(*change.after) : std::nullopt;
        return !slot ||
               ((!slots_.contains(*slot) || left.contains(*slot)) && taken.insert(*slot).second);
    });
}

// (chain, chainIndex) is unique.
bool MemoryTables::are_steps_free(const Changes& changes) const {
    std::set<std::pair<JobId, int>> taken;
    return std::all_of(changes.jobs.begin(), changes.jobs.end(), [&](const Change<Job>& change) {
        if (change.before || change.after->begins_chain()) {
            return true;
        }
        const std::pair step(change.after->chain, change.after->chain_index);
        return !steps_.contains(step) && taken.insert(step).second;
    });
}

void MemoryTables::apply_edges(const std::vector<Change<Edge>>& changes) {
    apply_plainly(edges_, changes, kKey);
    for (const auto& change : changes) {
        if (change.after) {
            edges_to_chain_.emplace(change.after->blocker, change.after->key);
        } else {
            edges_to_chain_.erase({change.before->blocker, change.before->key});
        }
    }
}

void MemoryTables::apply_claims(const Changes& changes) {
    for (const auto& change : changes.claims) {
        if (change.before && change.before->expires_at) {
            expiring_.erase({*change.before->expires_at, change.before->id});
        }
        if (change.after && change.after->expires_at) {
            expiring_.insert({*change.after->expires_at, change.after->id});
        }
        apply_entry(change);
    }
    apply_plainly(claims_, changes.claims, kId);
    for (const auto& [id, content] : changes.contents) {
        if (content) {
            contents_[id] = *content;
        } else {
            contents_.erase(id);
        }
    }
    for (const auto& change : changes.claims) {
        if (!change.after) contents_.erase(change.before->id);
    }
}

Result<void> MemoryTables::apply(const Changes& changes, Time now) {
    SEMEL_CHECK(check(changes));
    apply_claims(changes);
    for (const ResponseChange& change : changes.responses) apply_response(change);
    apply_plainly(sources_, changes.sources, kKey);
    apply_plainly(groups_, changes.groups, kKey);
    apply_edges(changes.edges);
    apply_plainly(schedules_, changes.schedules, kKey);
    apply_plainly(bulk_runs_, changes.bulk_runs, kId);
    apply_plainly(api_tokens_, changes.api_tokens, kId);
    for (const auto& [id, body] : changes.bodies) bodies_[id] = body;
    for (const auto& [id, result] : changes.results) {
        if (result) {
            results_[id] = *result;
        } else {
            results_.erase(id);
        }
    }
    for (const Attempt& attempt : changes.attempts) {
        attempts_.emplace(std::pair(attempt.job, attempt.token), attempt);
    }
    for (const auto& change : changes.jobs) {
        change.after ? put_job(*change.after) : erase_job(change.before->id);
    }
    for (const DecisionEntry& entry : changes.decisions) {
        decisions_.emplace(++last_decision_, LogEntry{day_of(now), entry});
    }
    for (const DecisionRef& ref : changes.forgotten) decisions_.erase(ref.sequence);
    return {};
}

int MemoryTables::order_of(const std::string& tenant) const {
    return find(tenant_order_, tenant).value_or(0);
}

void MemoryTables::put_job(const Job& job) {
    if (order_of(job.tenant) == 0) {
        const int order = static_cast<int>(tenants_.size()) + 1;
        tenant_order_[job.tenant] = order;
        tenants_[order] = job.tenant;
    }
    const auto [at, inserted] = jobs_.try_emplace(job.id, job);
    if (!inserted) {
        leave_queue(at->second);
        at->second = job;
    }
    if (!job.begins_chain()) {
        steps_[{job.chain, job.chain_index}] = job.id;
    }
    enter_queue(job);
}

void MemoryTables::erase_job(const JobId& id) {
    const Job& job = jobs_.at(id);
    leave_queue(job);
    steps_.erase({job.chain, job.chain_index});
    jobs_.erase(id);
    bodies_.erase(id);
    results_.erase(id);
    std::erase_if(attempts_, [&](const auto& entry) { return entry.first.first == id; });
}

void MemoryTables::enter_queue(const Job& job) {
    if (const auto slot = slot_of(job)) {
        slots_.insert(*slot);
    }
    switch (job.place) {
        case Place::later: later_.insert({job.scheduled_at, job.id}); break;
        case Place::ready: ready_[{order_of(job.tenant), job.type}].insert(ready_entry(job)); break;
        case Place::running: running_.insert({deadline_of(*job.lease), job.id}); break;
        case Place::waiting:
            waiting_[{job.tenant, job.lock_group}].insert({job.scheduled_at, job.id});
            break;
        case Place::done:
            if (job.completed_at) finished_.insert({*job.completed_at, job.id});
            break;
        case Place::failing_dependants: failing_dependants_.insert(job.id); break;
        case Place::blocked:
        case Place::predecessor:
        case Place::retained:
        case Place::paused: break;
    }
}

void MemoryTables::leave_queue(const Job& job) {
    if (const auto slot = slot_of(job)) {
        slots_.erase(*slot);
    }
    switch (job.place) {
        case Place::later: later_.erase({job.scheduled_at, job.id}); break;
        case Place::ready: {
            const auto lane = ready_.find({order_of(job.tenant), job.type});
            lane->second.erase(ready_entry(job));
            if (lane->second.empty()) {
                ready_.erase(lane);
            }
            break;
        }
        case Place::running: running_.erase({deadline_of(*job.lease), job.id}); break;
        case Place::waiting:
            waiting_[{job.tenant, job.lock_group}].erase({job.scheduled_at, job.id});
            break;
        case Place::done:
            if (job.completed_at) finished_.erase({*job.completed_at, job.id});
            break;
        case Place::failing_dependants: failing_dependants_.erase(job.id); break;
        case Place::blocked:
        case Place::predecessor:
        case Place::retained:
        case Place::paused: break;
    }
}

// ---- look-ups ---------------------------------------------------------------------------------

std::optional<Claim> MemoryTables::claim(const ClaimId& id) {
    return find(claims_, id);
}

std::optional<Content> MemoryTables::content(const ClaimId& claim) {
    return find(contents_, claim);
}

std::optional<Source> MemoryTables::source(const SourceKey& key) {
    return find(sources_, key);
}

std::vector<SourceKey> MemoryTables::expired_sources(Time now, int limit) {
    std::set<std::pair<Time, SourceKey>> expired;
    for (const auto& [key, source] : sources_) {
        if (source.expires_at <= now) expired.emplace(source.expires_at, key);
    }
    std::vector<SourceKey> keys;
    for (const auto& [at, key] : expired) {
        if (keys.size() >= static_cast<std::size_t>(limit)) break;
        keys.push_back(key);
    }
    return keys;
}

std::optional<FoundJob> MemoryTables::job(const JobId& id, bool with_body) {
    const auto at = jobs_.find(id);
    if (at == jobs_.end()) {
        return std::nullopt;
    }
    return FoundJob{at->second, with_body ? body(id) : std::nullopt};
}

std::optional<JobBody> MemoryTables::body(const JobId& id) {
    return find(bodies_, id);
}

std::optional<JobResult> MemoryTables::result(const JobId& id) {
    return find(results_, id);
}

std::optional<LockGroup> MemoryTables::group(const GroupKey& key) {
    return find(groups_, key);
}

std::optional<Schedule> MemoryTables::schedule(const ScheduleKey& key) {
    return find(schedules_, key);
}

std::optional<BulkRun> MemoryTables::bulk_run(const Uuid& id) {
    return find(bulk_runs_, id);
}

std::optional<ApiToken> MemoryTables::api_token(const Uuid& id) {
    return find(api_tokens_, id);
}

std::vector<Edge> MemoryTables::edges_of_job(const JobId& blocked) {
    std::vector<Edge> edges;
    for (auto at = edges_.lower_bound({blocked, 0});
         at != edges_.end() && at->first.blocked == blocked; ++at) {
        edges.push_back(at->second);
    }
    return edges;
}

std::vector<Edge> MemoryTables::edges_to_chain(const JobId& blocker) {
    std::vector<Edge> edges;
    for (auto at = edges_to_chain_.lower_bound({blocker, {}});
         at != edges_to_chain_.end() && at->first == blocker; ++at) {
        edges.push_back(edges_.at(at->second));
    }
    return edges;
}

std::optional<JobId> MemoryTables::step(const StepRef& step) {
    return find(steps_, {step.chain, step.index});
}

std::vector<JobId> MemoryTables::steps(const JobId& chain, int limit) {
    std::vector<JobId> ids;
    for (auto at = steps_.lower_bound({chain, 1}); at != steps_.end() && at->first.first == chain &&
                                                   ids.size() < static_cast<std::size_t>(limit);
         ++at) {
        ids.push_back(at->second);
    }
    return ids;
}

std::vector<JobId> MemoryTables::failing_dependants(int limit) {
    std::vector<JobId> ids;
    for (const JobId& id : failing_dependants_) {
        if (ids.size() >= static_cast<std::size_t>(limit)) break;
        ids.push_back(id);
    }
    return ids;
}

const Job* MemoryTables::last_of(const JobId& chain) const {
    const auto first = jobs_.find(chain);
    if (first == jobs_.end()) {
        return nullptr;
    }
    const auto last = jobs_.find(first->second.last.value_or(chain));
    return last == jobs_.end() ? nullptr : &last->second;
}

std::vector<BlockerView> MemoryTables::blocker_views(const JobId& job) {
    std::vector<BlockerView> views;
    for (const Edge& edge : edges_of_job(job)) {
        BlockerView view{.id = edge.blocker};
        if (const Job* last = last_of(edge.blocker)) {
            view.type = jobs_.at(edge.blocker).type;
            view.status = last->status;
            view.output = result(last->id).value_or(JobResult{}).output;
        }
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<BlockerView> MemoryTables::shown_blockers(const JobId& job) {
    std::vector<BlockerView> views = blocker_views(job);
    for (BlockerView& view : views) view.output.reset();
    return views;
}

std::vector<JobId> MemoryTables::waits_of(const JobId& chain) {
    std::vector<JobId> blockers;
    const Job* last = last_of(chain);
    if (last != nullptr && last->status == Status::blocked) {
        for (const Edge& edge : edges_of_job(last->id)) {
            if (!edge.done) blockers.push_back(edge.blocker);
        }
    }
    return blockers;
}

std::optional<std::string> MemoryTables::ready_tenant_after(
    const std::optional<std::string>& tenant) {
    const int order = tenant ? order_of(*tenant) : 0;
    const auto lane = ready_.lower_bound({order + 1, ""});
    return lane == ready_.end() ? std::nullopt : std::optional(tenants_.at(lane->first.first));
}

std::vector<ReadyEntry> MemoryTables::ready(const std::string& tenant, const std::string& type,
                                            const std::optional<ReadyEntry>& after, int limit) {
    std::vector<ReadyEntry> entries;
    const auto lane = ready_.find({order_of(tenant), type});
    if (lane == ready_.end()) {
        return entries;
    }
    const auto& queue = lane->second;
    auto at = after ? queue.upper_bound(*after) : queue.begin();
    for (; at != queue.end() && entries.size() < static_cast<std::size_t>(limit); ++at) {
        entries.push_back(*at);
    }
    return entries;
}

std::vector<TimedJob> MemoryTables::later(int limit) {
    return first_of(later_, limit);
}

std::vector<TimedJob> MemoryTables::running(int limit) {
    return first_of(running_, limit);
}

std::vector<TimedJob> MemoryTables::finished(int limit) {
    return first_of(finished_, limit);
}

std::vector<Job> MemoryTables::waiting(const GroupKey& key, int limit) {
    std::vector<Job> jobs;
    const auto queue = waiting_.find(key);
    if (queue != waiting_.end()) {
        for (const TimedJob& entry : first_of(queue->second, limit)) {
            jobs.push_back(jobs_.at(entry.id));
        }
    }
    return jobs;
}

std::vector<ClaimId> MemoryTables::expired_claims(Time now, int limit) {
    std::vector<ClaimId> claims;
    for (const auto& [at, id] : expiring_) {
        if (at > now || claims.size() >= static_cast<std::size_t>(limit)) break;
        claims.push_back(id);
    }
    return claims;
}

std::vector<Uuid> MemoryTables::finished_bulk_runs(Time latest, int limit) {
    std::set<std::pair<Time, Uuid>> finished;
    for (const auto& [id, bulk_run] : bulk_runs_) {
        if (bulk_run.finished_at && *bulk_run.finished_at <= latest) {
            finished.emplace(*bulk_run.finished_at, id);
        }
    }
    std::vector<Uuid> bulk_runs;
    for (const auto& [at, id] : finished) {
        if (bulk_runs.size() >= static_cast<std::size_t>(limit)) break;
        bulk_runs.push_back(id);
    }
    return bulk_runs;
}

std::vector<DecisionRef> MemoryTables::decisions_before(std::int64_t day, int limit) {
    std::vector<DecisionRef> refs;
    for (const auto& [sequence, logged] : decisions_) {
        if (logged.day >= day || refs.size() >= static_cast<std::size_t>(limit)) break;
        refs.push_back({logged.entry.tenant, logged.day, sequence});
    }
    return refs;
}

std::vector<Attempt> MemoryTables::history(const JobId& id) const {
    std::vector<Attempt> attempts;
    for (auto at = attempts_.lower_bound({id, Token::none});
         at != attempts_.end() && at->first.first == id; ++at) {
        attempts.push_back(at->second);
    }
    return attempts;
}

}  // namespace semel::memory
