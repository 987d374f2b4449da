// Who waits for whom: a blocked job is released once, by the commit that completes the last of its
// blockers; nobody is stranded, and nobody waits for himself.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {

// ---- rows ---------------------------------------------------------------------------------------

const Job* Checker::row_now(const JobId& id) const {
    if (const Job* after = row_after(id)) {
        return after;
    }
    const auto at = jobs_.find(id);
    const bool is_there = at != jobs_.end() && !at->second.deleted && !is_deleted_now(id);
    return is_there ? &at->second.row : nullptr;
}

const Job* Checker::last_before(const JobId& chain) const {
    const auto first = jobs_.find(chain);
    if (first == jobs_.end() || first->second.deleted) {
        return nullptr;
    }
    const auto last = jobs_.find(first->second.row.last.value_or(chain));
    return last == jobs_.end() ? nullptr : &last->second.row;
}

const Job* Checker::last_after(const JobId& chain) const {
    const Job* first = row_now(chain);
    return first == nullptr ? nullptr : row_now(first->last.value_or(chain));
}

bool Checker::was_operated(const JobId& chain) const {
    const auto is_of_chain = [&](const JobId& id) {
        const auto job = jobs_.find(id);
        return job != jobs_.end() && job->second.row.chain == chain;
    };
    return std::any_of(operated_.begin(), operated_.end(), is_of_chain) ||
           std::any_of(reopened_.begin(), reopened_.end(), is_of_chain);
}

std::vector<Edge> Checker::edges_of(const JobId& job) const {
    std::vector<Edge> edges;
    for (auto at = edges_.lower_bound({job, 0}); at != edges_.end() && at->first.blocked == job;
         ++at) {
        edges.push_back(at->second);
    }
    return edges;
}

void Checker::apply_edges() {
    for (const auto& change : batch_->changes->edges) {
        if (change.after) {
            edges_.insert_or_assign(change.after->key, *change.after);
            continue;
        }
        edges_.erase(change.before->key);
        edges_to_[change.before->blocker].erase(change.before->key);
    }
}

// ---- after each commit --------------------------------------------------------------------------

void Checker::check_blockers() {
    std::set<JobId> ended;
    for (const auto& change : batch_->changes->jobs) {
        if (!change.after || violation_) continue;
        if (change.after->blockers > 0) check_blocked(*change.after);
        ended.insert(change.after->chain);
    }
    for (const auto& change : batch_->changes->edges) {
        if (change.after) ended.insert(change.after->blocker);
        if (!change.before && !violation_)
            check_ring(jobs_.at(change.after->key.blocked).row.chain);
    }
    for (const JobId& chain : ended) {
        if (!violation_) check_dependants(chain);
    }
}

void Checker::check_blocked(const Job& job) {
    const std::vector<Edge> edges = edges_of(job.id);
    const auto left =
        std::count_if(edges.begin(), edges.end(), [](const Edge& edge) { return !edge.done; });
    const auto broken = [&](std::string_view what) {
        fail(Invariant::blockers, fmt::format("{} is {}, {} of {} blockers left: {}", name(job.id),
                                              to_string(job.status), left, edges.size(), what));
    };
    if (static_cast<int>(edges.size()) != job.blockers) {
        broken("it was given another number of them");
    } else if (job.status == Status::blocked && left == 0) {
        broken("nobody will release it");
    } else if (job.status == Status::blocked && left != job.blockers_left) {
        broken("it counts otherwise");
    } else if ((job.status == Status::pending || job.status == Status::running) && left > 0) {
        broken("it was released too early");
    }
}

// What waits for a chain knows whether that has completed.
void Checker::check_dependants(const JobId& chain) {
    const auto edges = edges_to_.find(chain);
    const Job* last = last_after(chain);
    if (edges == edges_to_.end() || last == nullptr) {
        return;
    }
    for (const EdgeKey& key : edges->second) {
        const bool has_completed = last->status == Status::completed;
        if (edges_.at(key).done != has_completed) {
            fail(Invariant::blockers,
                 fmt::format("{} waits for {}, which {} completed, and it {} so", name(key.blocked),
                             name(chain), has_completed ? "has" : "has not",
                             has_completed ? "was not told" : "was told"));
            return;
        }
    }
}

// A blocked job that is blocked no longer, or the other way round.
void Checker::check_unblocked(Tracked& job, const Job& after) {
    const Job& before = job.row;
    const bool was_blocked = before.status == Status::blocked;
    if (was_blocked == (after.status == Status::blocked)) {
        return;
    }
    const auto broken = [&](std::string_view what) {
        fail(Invariant::blockers,
             fmt::format("{} was {} and is {}: {}", name(after.id), to_string(before.status),
                         to_string(after.status), what));
    };
    if (!was_blocked) {
        context_.sometimes.hit(Sometimes::retried_job_blocked_again);
        if (!operated_.contains(after.id)) broken("nobody asked for it");
        return;
    }
    if (operated_.contains(after.id)) {
        return;
    }
    if (after.status == Status::pending) {
        context_.sometimes.hit(Sometimes::blocked_job_released);
        job.not_before = std::max(job.not_before, now());
        if (after.scheduled_at != std::max(before.scheduled_at, now())) {
            broken("its time is not that of its release");
        }
    } else if (after.status == Status::failed) {
        context_.sometimes.hit(Sometimes::blocked_job_failed_by_its_blocker);
        check_failed_by_blocker(after);
    } else if (after.status != Status::completed || !completed_.contains(after.id)) {
        broken("nobody asked for it");
    }
}

void Checker::check_failed_by_blocker(const Job& job) {
    const auto edges = edges_of(job.id);
    const bool has_reason = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
        const Job* before = last_before(edge.blocker);
        const Job* after = last_after(edge.blocker);
        const auto is_lost = [](const Job* last) {
            return last == nullptr || (is_final(last->status) && last->status != Status::completed);
        };
        // One that had failed may be retried later in this batch, and complete, or be continued.
        return was_operated(edge.blocker) || (!edge.done && (is_lost(before) || is_lost(after)));
    });
    if (!has_reason || job.on_blocker_failed != OnBlockerFailed::fail) {
        fail(Invariant::blockers,
             fmt::format("{} failed, and none of its blockers did, or it should wait on",
                         name(job.id)));
    }
}

// ---- rings --------------------------------------------------------------------------------------

std::vector<JobId> Checker::waits_of(const JobId& chain, bool now) const {
    std::vector<JobId> blockers;
    for (auto step = steps_.lower_bound({chain, 0});
         step != steps_.end() && step->first.first == chain; ++step) {
        const Job* row = row_now(step->second);
        const bool waits = row != nullptr && row->status == Status::blocked;
        if (now && !waits) continue;
        for (const Edge& edge : edges_of(step->second)) {
            if (!now || !edge.done) blockers.push_back(edge.blocker);
        }
    }
    return blockers;
}

bool Checker::reaches(std::vector<JobId> open, const JobId& chain, bool now) const {
    std::set<JobId> seen;
    while (!open.empty()) {
        const JobId at = open.back();
        open.pop_back();
        if (at == chain) {
            return true;
        }
        if (seen.insert(at).second) {
            const auto next = waits_of(at, now);
            open.insert(open.end(), next.begin(), next.end());
        }
    }
    return false;
}

void Checker::check_ring(const JobId& chain) {
    if (reaches(waits_of(chain, true), chain, true)) {
        fail(Invariant::blockers,
             fmt::format("{} waits for itself, by way of others", name(chain)));
    }
}

// ---- those who work -----------------------------------------------------------------------------

// A worker gets the outputs of the chains that its job waited for, in the order they were given.
void Checker::check_blockers_told(const TakenJob& taken) {
    const auto edges = edges_of(taken.job.id);
    const Tracked* job = find(taken.job.id);
    if (violation_ || job == nullptr || job->deleted) {
        return;
    }
    bool is_right = edges.size() == taken.blockers.size();
    for (std::size_t i = 0; is_right && i < edges.size(); ++i) {
        const BlockerView& view = taken.blockers[i];
        is_right = view.id == edges[i].blocker;
        const Job* last = last_before(view.id);
        if (!is_right || last == nullptr || !view.status) continue;
        const auto result = results_.find(last->id);
        const auto output = result != results_.end() ? result->second.output : std::nullopt;
        is_right = *view.status == Status::completed && view.output == output;
    }
    if (!is_right) {
        fail(Invariant::blockers,
             fmt::format("{} is not told what its blockers came to", name(taken.job.id)));
    }
}

// ---- when faults have stopped -------------------------------------------------------------------

// It was told to wait on when a blocker failed, or waits for one that was.
bool Checker::waits_for_ever(const JobId& id) const {
    const Tracked& job = jobs_.at(id);
    if (job.deleted || job.row.status != Status::blocked) {
        return false;
    }
    const auto edges = edges_of(id);
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
        const Job* last = last_before(edge.blocker);
        if (edge.done) {
            return false;
        }
        const bool is_lost = last == nullptr || is_final(last->status);
        return is_lost ? job.row.on_blocker_failed == OnBlockerFailed::wait
                       : waits_for_ever(last->id);
    });
}

void Checker::check_chains_live(Time store_now, Millis allowance) {
    for (const auto& [id, job] : jobs_) {
        if (job.deleted) continue;
        const bool is_late = store_now > job.row.updated_at + allowance;
        if (job.row.place == Place::failing_dependants && is_late) {
            fail(Invariant::live,
                 fmt::format("{} has ended, and nobody tells those who wait for it", name(id)));
        }
        if (job.row.status != Status::blocked ||
            job.row.on_blocker_failed == OnBlockerFailed::wait) {
            continue;
        }
        for (const Edge& edge : edges_of(id)) {
            const Job* last = last_before(edge.blocker);
            const bool is_lost = last == nullptr || (is_final(last->status) &&
                                                     store_now > last->updated_at + allowance);
            if (!edge.done && is_lost && is_late) {
                fail(Invariant::live,
                     fmt::format("{} waits for {}, which has ended", name(id), name(edge.blocker)));
            }
        }
    }
    for (const auto& [number, wait] : waits_) {
        const Job* last = last_before(wait.chain);
        const bool is_over =
            last != nullptr && is_final(last->status) && store_now > last->updated_at + allowance;
        if (wait.counts && is_over) {
            fail(Invariant::live,
                 fmt::format("{} has ended, and who waits for it was not told", name(wait.chain)));
        }
    }
}

// ---- rare paths ---------------------------------------------------------------------------------

void Checker::count_rare_chains() {
    std::map<JobId, int> completed_for;  // how many of a job's blockers, in this commit
    std::map<JobId, int> released_by;
    for (const auto& change : batch_->changes->edges) {
        if (change.before && change.after && change.after->done && !change.before->done) {
            ++completed_for[change.after->key.blocked];
            const Job* row = row_now(change.after->key.blocked);
            if (row != nullptr && row->status == Status::pending) {
                ++released_by[change.after->blocker];
            }
        }
        if (change.before || !change.after) continue;
        const Job* last = last_after(change.after->blocker);
        if (change.after->done) {
            context_.sometimes.hit(Sometimes::blocker_had_completed_already);
        } else if (last != nullptr && is_final(last->status)) {
            context_.sometimes.hit(Sometimes::blocker_had_failed_already);
        }
    }
    const auto is_several = [](const auto& entry) { return entry.second > 1; };
    if (std::any_of(completed_for.begin(), completed_for.end(), is_several)) {
        context_.sometimes.hit(Sometimes::two_blockers_in_one_commit);
    }
    if (std::any_of(released_by.begin(), released_by.end(), is_several)) {
        context_.sometimes.hit(Sometimes::several_released_by_one_commit);
    }
    for (const auto& change : batch_->changes->jobs) {
        const bool is_told = change.before && change.after &&
                             change.before->place == Place::failing_dependants &&
                             change.after->place == Place::retained;
        if (!is_told) continue;
        for (const EdgeKey& key : edges_to_[change.after->chain]) {
            const Job* row = row_now(key.blocked);
            if (row != nullptr && row->status == Status::blocked) {
                context_.sometimes.hit(Sometimes::blocked_job_waits_on);
            }
        }
    }
}

}  // namespace semel::sim
