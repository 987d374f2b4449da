#include "support/row_invariants.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "support/chain_invariants.hpp"
#include "support/rows.hpp"

namespace semel::test {
namespace {

bool is_in_queue(const Job& job) {
    return job.place == Place::later || job.place == Place::ready || job.place == Place::running ||
           job.place == Place::waiting;
}

// Of a schedule's line, and not one that was triggered beside it.
bool has_slot(const Job& job) {
    return job.occurrence && job.occurrence->slot;
}

bool stands_before(const Job& a, const Job& b) {
    return std::tie(a.scheduled_at, a.id) < std::tie(b.scheduled_at, b.id);
}

class Checker {
public:
    explicit Checker(const StoredRows& rows) : rows_(rows) {
        for (const ActionView& view : rows.actions) jobs_.emplace(view.job.id, &view.job);
        for (const ScheduleView& view : rows.schedules) {
            schedules_.emplace(view.schedule.id, &view.schedule);
        }
    }

    std::vector<std::string> check() {
        for (const ActionView& view : rows_.actions) {
            check_status(view.job);
            check_times(view.job);
            check_attempts(view.job);
            check_relations(view.job);
            check_occurrence(view.job);
            expect(view.job.has_result == (view.result != JobResult{}), view.job,
                   "has_result says whether there is a result");
        }
        check_groups();
        check_claims();
        for (const ScheduleView& view : rows_.schedules) check_schedule(view);
        for (std::string& broken : broken_chains(rows_)) broken_.push_back(std::move(broken));
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
                                   job.place == Place::waiting || job.place == Place::predecessor ||
                                   job.place == Place::paused;
        expect((job.status == Status::pending) == pending_place, job, "pending, in a line or held");
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
            if (!job->lock_group.empty() && is_in_queue(*job)) {
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
        expect(std::find(line.begin(), line.end(), head->second) != line.end(), *head->second,
               "a group's head stands in its line");
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
            for (const Owner& owner : claim.owners) {
                const auto job = jobs_.find(owner.job);
                // A chain under another key may have the id of a deleted one.
                const bool is_gone = job == jobs_.end() || job->second->claim != claim.id;
                expect(is_gone == claim.is_purged(owner.job),
                       "a claim has its owners, or the status the newest was purged with: " +
                           claim.full_key);
            }
            expect(!claim.expires_at || claim.owners.size() <= 1,
                   "a key with several owners does not expire: " + claim.full_key);
        }
    }

    // Null: it has been deleted.
    const Schedule* schedule_of(const Job& job) const {
        const auto found = schedules_.find(job.occurrence->schedule);
        return found == schedules_.end() ? nullptr : found->second;
    }

    void check_occurrence(const Job& job) {
        expect(job.place != Place::paused || job.occurrence, job, "only occurrences are held");
        if (!job.occurrence) {
            return;
        }
        expect(!job.claim && !job.predecessor && !job.successor, job,
               "recurring actions do not deduplicate");
        const Schedule* schedule = schedule_of(job);
        const bool is_current = schedule != nullptr && schedule->current == job.id;
        const bool is_held = is_current && schedule->is_paused && job.status == Status::pending;
        expect((job.place == Place::paused) == is_held, job,
               "held: the pending occurrence of a paused schedule, and nothing else");
        if (!has_slot(job)) {
            return;
        }
        expect(slots_.emplace(job.occurrence->schedule, *job.occurrence->slot).second, job,
               "a slot is had once");
        const Time slot = *job.occurrence->slot;
        const bool is_behind = is_current || schedule == nullptr ||
                               (schedule->last_slot && slot <= *schedule->last_slot) ||
                               schedule->spent.around(slot) != nullptr;
        expect(is_behind, job, "each slot but the current one has come, or is spent");
    }

    // One current occurrence, or why there is none.
    void check_schedule(const ScheduleView& view) {
        const Schedule& schedule = view.schedule;
        const std::string name = schedule.key.tenant + "/" + schedule.key.name;
        expect(schedule.current.has_value() == schedule.fault.empty(),
               "a current occurrence, or a fault: " + name);
        expect(schedule.created_at <= schedule.updated_at && schedule.updated_at <= rows_.now,
               "made, changed, now: in this order: " + name);
        if (!schedule.current) {
            return;
        }
        const auto found = jobs_.find(*schedule.current);
        if (found == jobs_.end()) {
            expect(false, "the current occurrence is there: " + name);
            return;
        }
        const Job& job = *found->second;
        expect(view.current == job, job, "a schedule is read with its current occurrence");
        expect(job.status == Status::pending || job.status == Status::running, job,
               "the current occurrence is unfinished");
        expect(has_slot(job) && job.occurrence->schedule == schedule.id &&
                   job.occurrence->name == schedule.key.name && job.tenant == schedule.key.tenant,
               job, "the current occurrence is of its schedule's line");
        const Time slot = *job.occurrence->slot;
        expect((!schedule.last_slot || slot > *schedule.last_slot) &&
                   schedule.spent.around(slot) == nullptr,
               job, "the current slot was not had");
        expect(job.was_taken() || job.scheduled_at <= *job.occurrence->slot, job,
               "a first attempt is not later than its slot");
    }

    const StoredRows& rows_;
    std::map<JobId, const Job*> jobs_;
    std::map<Uuid, const Schedule*> schedules_;
    std::set<std::pair<Uuid, Time>> slots_;
    std::vector<std::string> broken_;
};

class ChangeChecker {
public:
    ChangeChecker(const StoredRows& before, const StoredRows& after, const std::set<JobId>& retried)
        : before_(before), after_(after), retried_(retried) {
        for (const ActionView& view : before.actions) were_.emplace(view.job.id, &view.job);
        for (const ActionView& view : after.actions) are_.emplace(view.job.id, &view.job);
        for (const ScheduleView& view : before.schedules) add_current(view, were_current_);
        for (const ScheduleView& view : after.schedules) {
            add_current(view, are_current_);
            schedules_.emplace(view.schedule.id, &view.schedule);
        }
    }

    std::vector<std::string> check() {
        for (const auto& [id, was] : were_) {
            const auto is = are_.find(id);
            if (is == are_.end()) {
                expect(is_final(was->status) || retried_.contains(id), "only what ended goes",
                       *was);
            } else {
                check_job(*was, *is->second);
            }
        }
        for (const auto& [id, is] : are_) {
            const auto was = were_.find(id);
            check_place(was == were_.end() ? nullptr : was->second, *is);
            check_line(was == were_.end() ? nullptr : was->second, *is);
        }
        for (const ScheduleView& view : before_.schedules) check_schedule(view.schedule);
        if (after_.now < before_.now) broken_.emplace_back("time does not go back");
        return std::move(broken_);
    }

private:
    static void add_current(const ScheduleView& view, std::set<JobId>& ids) {
        if (view.schedule.current) ids.insert(*view.schedule.current);
    }

    void expect(bool holds, std::string_view what, const Job& job) {
        if (!holds) broken_.push_back(fmt::format("{}: {}", what, to_text(job)));
    }

    void check_job(const Job& was, const Job& is) {
        expect(is.token >= was.token, "tokens do not fall", was);
        expect(is.tenant == was.tenant && is.created_at == was.created_at, "its making stays", was);
        expect(is.updated_at >= was.updated_at, "time does not go back", was);
        expect(!is_final(was.status) || is.status == was.status || retried_.contains(was.id),
               "an end is an end", was);
        expect(is.occurrence.has_value() == was.occurrence.has_value() &&
                   has_slot(is) == has_slot(was) &&
                   (!is.occurrence || is.occurrence->schedule == was.occurrence->schedule),
               "an occurrence stays one of its schedule", was);
        expect(!was.was_taken() || is.occurrence == was.occurrence || gave_its_slot_back(was, is),
               "what has been taken keeps its slot", was);
    }

    // A rolling occurrence that was run early and has ended counts for when it did.
    static bool gave_its_slot_back(const Job& was, const Job& is) {
        return was.occurrence->type == RecurrenceType::rolling && is_final(is.status) &&
               !is_final(was.status) && has_slot(is) &&
               *is.occurrence->slot < *was.occurrence->slot;
    }

    // Who comes to stand there, stands there because of its time.
    void check_place(const Job* was, const Job& is) {
        const bool is_there = is.place == Place::later;
        const bool came =
            was == nullptr || was->place != is.place || was->scheduled_at != is.scheduled_at;
        expect(!is_there || !came || is.scheduled_at > after_.now, "later, when its time will come",
               is);
    }

    // Occurrences do not overlap: beside the current one runs only what an operator retried.
    void check_line(const Job* was, const Job& is) {
        if (!has_slot(is) || is_final(is.status) || are_current_.contains(is.id) ||
            !schedules_.contains(is.occurrence->schedule)) {
            return;
        }
        const bool was_beside =
            was != nullptr && !is_final(was->status) && !were_current_.contains(is.id);
        expect(was_beside || retried_.contains(is.id), "one unfinished occurrence", is);
    }

    void check_schedule(const Schedule& was) {
        const auto found = schedules_.find(was.id);
        if (found == schedules_.end()) {
            return;
        }
        const Schedule& is = *found->second;
        const bool grows = !was.last_slot || (is.last_slot && *is.last_slot >= *was.last_slot);
        const bool stays = is.key == was.key && is.created_at == was.created_at;
        if (!grows || !stays || is.updated_at < was.updated_at) {
            broken_.push_back(fmt::format("slots grow, and what a schedule is stays: {} was {}",
                                          to_text(is), to_text(was)));
        }
    }

    const StoredRows& before_;
    const StoredRows& after_;
    const std::set<JobId>& retried_;
    std::map<JobId, const Job*> were_;
    std::map<JobId, const Job*> are_;
    std::set<JobId> were_current_;
    std::set<JobId> are_current_;
    std::map<Uuid, const Schedule*> schedules_;  // after
    std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_invariants(const StoredRows& rows) {
    return Checker(rows).check();
}

std::vector<std::string> broken_changes(const StoredRows& before, const StoredRows& after,
                                        const std::set<JobId>& retried) {
    return ChangeChecker(before, after, retried).check();
}

}  // namespace semel::test
