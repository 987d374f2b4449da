#include "support/row_invariants.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

bool is_in_line(const Job& job) {
    return job.place == Place::later || job.place == Place::ready || job.place == Place::running ||
           job.place == Place::waiting;
}

bool stands_before(const Job& a, const Job& b) {
    return std::tie(a.scheduled_at, a.id) < std::tie(b.scheduled_at, b.id);
}

class Checker {
public:
    explicit Checker(const StoredRows& rows) : rows_(rows) {
        for (const ActionView& view : rows.actions) jobs_.emplace(view.job.id, &view.job);
    }

    std::vector<std::string> check() {
        for (const ActionView& view : rows_.actions) {
            check_status(view.job);
            check_times(view.job);
            check_attempts(view.job);
            check_relations(view.job);
            expect(view.job.has_result == (view.result != JobResult{}), view.job,
                   "has_result says whether there is a result");
        }
        check_groups();
        check_claims();
        return std::move(broken_);
    }

private:
    void expect(bool holds, const Job& job, std::string_view what) {
        if (!holds) broken_.push_back(fmt::format("{}: {}", what, to_text(job)));
    }
    void expect(bool holds, const std::string& what) {
        if (!holds) broken_.push_back(what);
    }

    // A job is in exactly one place, and it fits its status.
    void check_status(const Job& job) {
        const bool pending_place = job.place == Place::later || job.place == Place::ready ||
                                   job.place == Place::waiting || job.place == Place::predecessor;
        expect((job.status == Status::pending) == pending_place, job, "pending, in a line");
        expect((job.status == Status::running) == (job.place == Place::running), job,
               "running, in the running line");
        expect((job.status == Status::running) == job.lease.has_value(), job,
               "a lease while it runs");
        expect(is_final(job.status) == job.completed_at.has_value(), job, "an end when it ended");
        expect((job.place == Place::predecessor) == job.predecessor.has_value(), job,
               "a predecessor while it waits for one");
        expect((job.status == Status::superseded) == job.superseded_by.has_value(), job,
               "superseded by someone");
        expect(job.place != Place::waiting || !job.lock_group.empty(), job, "waits for a group");
        expect(job.place != Place::ready || job.scheduled_at <= rows_.now, job,
               "ready when its time has come");
    }

    // Stored time does not go back.
    void check_times(const Job& job) {
        expect(job.created_at <= job.updated_at && job.updated_at <= rows_.now, job,
               "made, changed, now: in this order");
        expect(!job.completed_at || *job.completed_at <= rows_.now, job, "no end in the future");
        expect(!job.lease || *job.started_at <= rows_.now, job, "no start in the future");
    }

    void check_attempts(const Job& job) {
        expect(job.attempts >= 0 && job.attempts <= std::max(1, job.max_retries), job,
               "attempts within their number");
        expect(job.attempts == 0 || job.was_taken(), job, "a token when it was taken");
    }

    void check_relations(const Job& job) {
        if (job.predecessor) {
            const auto other = jobs_.find(*job.predecessor);
            expect(other != jobs_.end() && other->second->status == Status::running &&
                       other->second->successor == job.id,
                   job, "its predecessor runs and knows it");
        }
        if (job.successor) {
            const auto other = jobs_.find(*job.successor);
            expect(other != jobs_.end() && other->second->predecessor == job.id, job,
                   "its successor knows it");
        }
    }

    // One member of a group is its head, and stands before all that wait unless it runs.
    void check_groups() {
        std::map<GroupKey, std::vector<const Job*>> members;
        for (const auto& [id, job] : jobs_) {
            if (!job->lock_group.empty() && is_in_line(*job)) {
                members[{job->tenant, job->lock_group}].push_back(job);
            }
        }
        for (const LockGroup& group : rows_.groups) {
            expect(members.contains(group.key), "a group has members: " + group.key.name);
        }
        for (const auto& [key, line] : members) {
            const auto group = std::find_if(rows_.groups.begin(), rows_.groups.end(),
                                            [&](const LockGroup& one) { return one.key == key; });
            if (group == rows_.groups.end()) {
                expect(false, "members have a group: " + key.name);
                continue;
            }
            check_line(*group, line);
        }
    }

    void check_line(const LockGroup& group, const std::vector<const Job*>& line) {
        const auto head = jobs_.find(group.head);
        if (head == jobs_.end()) {
            expect(false, "a group's head is there: " + group.key.name);
            return;
        }
        for (const Job* job : line) {
            expect((job->id == group.head) == (job->place != Place::waiting), *job,
                   "only the head does not wait");
            const bool in_order = job->id == group.head ||
                                  head->second->status == Status::running ||
                                  stands_before(*head->second, *job);
            expect(in_order, *job, "the head stands first");
        }
    }

    void check_claims() {
        for (const Claim& claim : rows_.claims) {
            const bool is_purged = claim.purged_as.has_value();
            for (const Owner& owner : claim.owners) {
                const auto job = jobs_.find(owner.job);
                const bool may_be_gone = is_purged && claim.is_newest(owner.job);
                expect((job == jobs_.end()) == may_be_gone,
                       "a claim has its owners, or the status the newest was purged with: " +
                           claim.full_key);
                expect(job == jobs_.end() || job->second->claim == claim.id,
                       "a claim's owner has that claim: " + claim.full_key);
            }
            expect(!claim.expires_at || claim.owners.size() <= 1,
                   "a key with several owners does not expire: " + claim.full_key);
        }
    }

    const StoredRows& rows_;
    std::map<JobId, const Job*> jobs_;
    std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_invariants(const StoredRows& rows) {
    return Checker(rows).check();
}

std::vector<std::string> broken_changes(const StoredRows& before, const StoredRows& after,
                                        const std::set<JobId>& retried) {
    std::vector<std::string> broken;
    const auto expect = [&](bool holds, std::string_view what, const Job& was) {
        if (!holds) broken.push_back(fmt::format("{}: {}", what, to_text(was)));
    };
    std::map<JobId, const Job*> jobs;
    for (const ActionView& view : after.actions) jobs.emplace(view.job.id, &view.job);
    for (const ActionView& view : before.actions) {
        const Job& was = view.job;
        const auto found = jobs.find(was.id);
        if (found == jobs.end()) {
            expect(is_final(was.status) || retried.contains(was.id), "only what ended goes", was);
            continue;
        }
        const Job& is = *found->second;
        expect(is.token >= was.token, "tokens do not fall", was);
        expect(is.tenant == was.tenant && is.created_at == was.created_at, "its making stays", was);
        expect(is.updated_at >= was.updated_at, "time does not go back", was);
        expect(!is_final(was.status) || is.status == was.status || retried.contains(was.id),
               "an end is an end", was);
    }
    if (after.now < before.now) broken.emplace_back("time does not go back");
    return broken;
}

}  // namespace semel::test
