#include "core/batch/workspace.hpp"

#include <algorithm>

namespace semel {

Workspace::Workspace(Loaded loaded, const Settings& settings, UuidGenerator& ids,
                     const std::function<std::uint64_t()>& random)
    : now_(loaded.now),
      settings_(settings),
      ids_(ids),
      random_(random),
      queries_(std::move(loaded.queries)),
      steps_(std::move(loaded.steps)),
      taken_ids_(std::move(loaded.taken_ids)),
      left_out_(std::move(loaded.left_out)),
      waits_(std::move(loaded.waits)),
      waits_are_whole_(loaded.waits_are_whole),
      running_heads_(loaded.running_heads.begin(), loaded.running_heads.end()) {
    for (Job& job : loaded.jobs) {
        if (!job.lock_group.empty()) {
            members_[{job.tenant, job.lock_group}].push_back(job.id);
        }
        const JobId id = job.id;
        jobs.load(id, std::move(job));
    }
    for (auto& [id, body] : loaded.bodies) bodies.load(id, std::move(body));
    for (auto& [id, result] : loaded.results) results.load(id, std::move(result));
    for (Claim& claim : loaded.claims) {
        const ClaimId id = claim.id;
        claims.load(id, std::move(claim));
    }
    for (auto& [id, content] : loaded.contents) contents.load(id, std::move(content));
    for (Source& source : loaded.sources) {
        const SourceKey key = source.key;
        sources.load(key, std::move(source));
    }
    for (const Edge& edge : loaded.edges) {
        note(edge);
        edges.load(edge.key, edge);
    }
    for (LockGroup& group : loaded.groups) {
        const GroupKey key = group.key;
        groups.load(key, std::move(group));
    }
    for (Schedule& schedule : loaded.schedules) {
        const ScheduleKey key = schedule.key;
        schedules.load(key, std::move(schedule));
    }
    for (BulkRun& bulk_run : loaded.bulk_runs) {
        const Uuid id = bulk_run.id;
        bulk_runs.load(id, std::move(bulk_run));
    }
    for (ApiToken& token : loaded.api_tokens) {
        const Uuid id = token.id;
        api_tokens.load(id, std::move(token));
    }
    std::sort(waits_.begin(), waits_.end(),
              [](const Wait& a, const Wait& b) { return a.chain < b.chain; });
    mark_locked(loaded.locked_elsewhere);
    damage(std::move(loaded.damaged));
}

void Workspace::mark_locked(const LockedElsewhere& locked_elsewhere) {
    for (const ClaimId& id : locked_elsewhere.claims) claims.mark_locked(id);
    for (const SourceKey& key : locked_elsewhere.sources) sources.mark_locked(key);
    for (const JobId& id : locked_elsewhere.jobs) jobs.mark_locked(id);
    for (const GroupKey& key : locked_elsewhere.groups) groups.mark_locked(key);
    for (const ScheduleKey& key : locked_elsewhere.schedules) schedules.mark_locked(key);
    for (const Uuid& id : locked_elsewhere.bulk_runs) bulk_runs.mark_locked(id);
    for (const Uuid& id : locked_elsewhere.api_tokens) api_tokens.mark_locked(id);
}

void Workspace::damage(Damaged damaged) {
    for (auto& [id, why] : damaged.claims) {
        Claim unreadable;
        unreadable.id = id;
        claims.damage(id, std::move(unreadable), std::move(why));
    }
    for (auto& [key, why] : damaged.sources) {
        Source unreadable;
        unreadable.key = key;
        sources.damage(key, std::move(unreadable), std::move(why));
    }
}

const std::string* Workspace::met_damage() const {
    return claims.met_damage() != nullptr ? claims.met_damage() : sources.met_damage();
}

bool Workspace::met_locked() const {
    return postponed_ || needs_next_load_ || claims.met_locked() || sources.met_locked() ||
           jobs.met_locked() || groups.met_locked() || schedules.met_locked() ||
           bulk_runs.met_locked() || api_tokens.met_locked();
}

std::optional<Problem> Workspace::refusal_of_locked_item() {
    if (!refuses_locked_items_ || !met_locked()) {
        return std::nullopt;
    }
    roll_back_item();
    postponed_ = false;
    needs_next_load_ = false;
    claims.forget_met_locked();
    sources.forget_met_locked();
    jobs.forget_met_locked();
    groups.forget_met_locked();
    schedules.forget_met_locked();
    bulk_runs.forget_met_locked();
    api_tokens.forget_met_locked();
    return locked_elsewhere();
}

QueryResult Workspace::next_query_result() {
    SEMEL_ASSERT(queries_taken_ < queries_.size());
    return std::move(queries_[queries_taken_++]);
}

Job& Workspace::add_job(Job job, JobBody body) {
    const JobId id = job.id;
    if (!job.lock_group.empty()) {
        members_[{job.tenant, job.lock_group}].push_back(id);
    }
    bodies.put(id, std::move(body));
    return jobs.put(id, std::move(job));
}

void Workspace::remove_job(const JobId& id) {
    for (const Edge& edge : edges_of_job(id)) edges.erase(edge.key);
    jobs.erase(id);
}

void Workspace::note(const Edge& edge) {
    edges_of_job_[edge.key.blocked].insert(edge.key);
    edges_to_chain_[edge.blocker].insert(edge.key);
}

void Workspace::add_edge(const Edge& edge) {
    note(edge);
    edges.put(edge.key, edge);
}

namespace {

std::vector<Edge> found_in(const Table<EdgeKey, Edge>& edges,
                           const std::map<JobId, std::set<EdgeKey>>& index, const JobId& id) {
    std::vector<Edge> found;
    const auto keys = index.find(id);
    if (keys != index.end()) {
        for (const EdgeKey& key : keys->second) {
            if (const Edge* edge = edges.find(key)) found.push_back(*edge);
        }
    }
    return found;
}

}  // namespace

std::vector<Edge> Workspace::edges_of_job(const JobId& blocked) const {
    return found_in(edges, edges_of_job_, blocked);
}

std::vector<Edge> Workspace::edges_to_chain(const JobId& blocker) const {
    return found_in(edges, edges_to_chain_, blocker);
}

const Job* Workspace::find_step(const StepRef& step) const {
    const auto found = std::find_if(steps_.begin(), steps_.end(),
                                    [&](const auto& known) { return known.first == step; });
    if (found != steps_.end()) {
        return jobs.find(found->second);
    }
    // A step that an earlier command of the batch has made is the last of its chain.
    const Job* first = jobs.find(step.chain);
    const Job* last = first != nullptr && first->last ? jobs.find(*first->last) : first;
    return last != nullptr && last->chain_index == step.index ? last : nullptr;
}

bool Workspace::is_taken(const JobId& id) const {
    if (jobs.was_erased(id)) {
        needs_next_load_ = true;
        return true;
    }
    return jobs.find(id) != nullptr ||
           std::find(taken_ids_.begin(), taken_ids_.end(), id) != taken_ids_.end();
}

bool Workspace::is_left_out(const JobId& id) const {
    return std::find(left_out_.begin(), left_out_.end(), id) != left_out_.end();
}

void Workspace::enter_group(const JobId& id) {
    const Job* job = jobs.find(id);
    if (!job->lock_group.empty()) {
        members_[{job->tenant, job->lock_group}].push_back(id);
    }
}

void Workspace::set_result(const JobId& id, std::optional<JobResult> result) {
    Job& job = jobs.edit(id);
    if (result) {
        results.put(id, std::move(*result));
        job.has_result = true;
    } else if (job.has_result) {
        results.put(id, JobResult{});  // written as a deletion
        job.has_result = false;
    }
}

const Job* Workspace::first_waiting(const GroupKey& key) const {
    const auto members = members_.find(key);
    if (members == members_.end()) {
        return nullptr;
    }
    const Job* first = nullptr;
    for (const JobId& id : members->second) {
        const Job* job = jobs.find(id);
        if (job == nullptr || job->place != Place::waiting || job->lock_group != key.name) {
            continue;
        }
        if (first == nullptr || goes_before(*job, *first)) {
            first = job;
        }
    }
    return first;
}

void Workspace::savepoint() {
    jobs.savepoint();
    bodies.savepoint();
    results.savepoint();
    claims.savepoint();
    contents.savepoint();
    sources.savepoint();
    groups.savepoint();
    edges.savepoint();
    schedules.savepoint();
    bulk_runs.savepoint();
    api_tokens.savepoint();
    postponed_ = false;
    needs_next_load_ = false;
    refuses_locked_items_ = false;
    refusal_.reset();
    command_begin_ = mark();
    item_begin_ = command_begin_;
}

void Workspace::begin_item() {
    jobs.begin_item();
    bodies.begin_item();
    results.begin_item();
    claims.begin_item();
    contents.begin_item();
    sources.begin_item();
    groups.begin_item();
    edges.begin_item();
    schedules.begin_item();
    bulk_runs.begin_item();
    api_tokens.begin_item();
    refusal_.reset();
    item_begin_ = mark();
}

void Workspace::roll_back() {
    jobs.roll_back();
    bodies.roll_back();
    results.roll_back();
    claims.roll_back();
    contents.roll_back();
    sources.roll_back();
    groups.roll_back();
    edges.roll_back();
    schedules.roll_back();
    bulk_runs.roll_back();
    api_tokens.roll_back();
    cut_to(command_begin_);
    keep_refusal();
}

void Workspace::roll_back_item() {
    jobs.roll_back_item();
    bodies.roll_back_item();
    results.roll_back_item();
    claims.roll_back_item();
    contents.roll_back_item();
    sources.roll_back_item();
    groups.roll_back_item();
    edges.roll_back_item();
    schedules.roll_back_item();
    bulk_runs.roll_back_item();
    api_tokens.roll_back_item();
    cut_to(item_begin_);
    keep_refusal();
}

Workspace::Mark Workspace::mark() const {
    return {attempts_.size(), decisions_.size(), drained_.size(), outbox_results_.size(),
            responses_.size()};
}

void Workspace::cut_to(const Mark& mark) {
    attempts_.resize(mark.attempts);
    decisions_.resize(mark.decisions);
    drained_.resize(mark.drained);
    outbox_results_.resize(mark.outbox_results);
    responses_.resize(mark.responses);
}

void Workspace::keep_refusal() {
    if (refusal_ && !met_locked()) {
        decisions_.push_back(std::move(*refusal_));
    }
    refusal_.reset();
}

Changes Workspace::take_changes() {
    Changes changes;
    // The rows of a deleted job are deleted with it.
    bodies.each_touched([&](const JobId& id, std::optional<JobBody>& body) {
        if (body && jobs.find(id) != nullptr) {
            changes.bodies.emplace_back(id, std::move(*body));
        }
    });
    results.each_touched([&](const JobId& id, std::optional<JobResult>& result) {
        if (jobs.find(id) != nullptr) {
            const bool empty = !result || *result == JobResult{};
            changes.results.emplace_back(id, empty ? std::nullopt : std::move(result));
        }
    });
    std::erase_if(attempts_,
                  [&](const Attempt& attempt) { return jobs.find(attempt.job) == nullptr; });
    changes.jobs = jobs.take_changes();
    changes.claims = claims.take_changes();
    contents.each_touched([&](const ClaimId& id, std::optional<Content>& content) {
        const bool empty = !content || content->json.empty();
        changes.contents.emplace_back(id, empty ? std::nullopt : std::move(content));
    });
    changes.responses = std::move(responses_);
    changes.sources = sources.take_changes();
    changes.groups = groups.take_changes();
    changes.edges = edges.take_changes();
    changes.schedules = schedules.take_changes();
    changes.bulk_runs = bulk_runs.take_changes();
    changes.api_tokens = api_tokens.take_changes();
    changes.attempts = std::move(attempts_);
    changes.forgotten = std::move(forgotten_);
    changes.decisions = std::move(sums_);
    changes.drained = std::move(drained_);
    changes.outbox_results = std::move(outbox_results_);
    changes.forgotten_outbox_results = std::move(forgotten_outbox_results_);
    for (DecisionEntry& entry : decisions_) {
        (is_repeat(entry.decision) ? changes.repeats : changes.decisions)
            .push_back(std::move(entry));
    }
    return changes;
}

}  // namespace semel
