// What must be true when faults have stopped.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {
namespace {

constexpr Millis kRescueAllowance = std::chrono::seconds(2);  // the contract's: lease + 2 s
constexpr Millis kClaimAllowance = std::chrono::seconds(5);

}  // namespace

bool Checker::all_finished() const {
    const bool are_over = std::all_of(jobs_.begin(), jobs_.end(), [this](const auto& entry) {
        return entry.second.deleted || is_final(entry.second.row.status) ||
               waits_for_ever(entry.first);
    });
    return are_over && lines_.empty() && open_entries_.empty() &&
           std::all_of(bulk_runs_.begin(), bulk_runs_.end(),
                       [](const auto& entry) { return entry.second.finished_at.has_value(); });
}

void Checker::check_live(Time store_now) {
    const auto stuck = [&](const Job& job, std::string_view why) {
        fail(Invariant::live,
             fmt::format("{} ({}, {}) {}", name(job.id), to_string(job.status), job.type, why));
    };
    for (const auto& [id, job] : jobs_) {
        const Job& row = job.row;
        if (job.deleted || is_final(row.status)) {
            continue;
        }
        if (row.lease && store_now > row.lease->ends_at() + kRescueAllowance) {
            stuck(row, "is held by the dead");
        } else if (row.place == Place::ready && store_now > job.ready_since + kClaimAllowance) {
            stuck(row, "is due, and nobody has it");
        } else if (row.place == Place::later && store_now > row.scheduled_at + kClaimAllowance) {
            stuck(row, "is due, and was not promoted");
        } else if (row.place == Place::waiting && !group_lives(row)) {
            stuck(row, "waits for a group that nobody holds");
        }
    }
    check_chains_live(store_now, kClaimAllowance);
    check_outbox_live(kClaimAllowance);
}

bool Checker::group_lives(const Job& member) const {
    const auto group = groups_.find({member.tenant, member.lock_group});
    if (group == groups_.end()) {
        return false;
    }
    const auto head = jobs_.find(group->second.head);
    return head != jobs_.end() && !head->second.deleted && !is_final(head->second.row.status) &&
           head->second.row.place != Place::waiting;
}

void Checker::check_rest(Store& store) {
    if (violation_) {
        return;
    }
    check_rows();
    if (!open_entries_.empty()) {
        fail(Invariant::outbox_once,
             fmt::format("entry {} was never decided", open_entries_.begin()->first));
    }
    check_finished(store);
    check_schedules_and_runs(store);
    check_decisions(store);
}

void Checker::check_finished(Store& store) {
    std::map<JobId, ActionView> stored;
    for (const std::string& tenant : kTenants) {
        store.reads().list_actions(tenant, {}, std::nullopt, 1'000'000, [&](auto found) {
            for (ActionView& view : *found) stored.emplace(view.job.id, std::move(view));
        });
    }
    for (auto& [id, job] : jobs_) {
        const auto row = stored.find(id);
        if (job.deleted != (row == stored.end())) {
            fail(Invariant::acknowledged_exists,
                 fmt::format("{} is {} the store", name(id), job.deleted ? "still in" : "not in"));
        } else if (!job.deleted &&
                   (row->second.job != job.row || row->second.body.payload != job.payload)) {
            fail(Invariant::last_payload, fmt::format("{} is not as it was committed", name(id)));
        }
        if (!job.deleted && !is_final(job.row.status) && !waits_for_ever(id)) {
            fail(Invariant::finished_at_rest,
                 fmt::format("{} ({}) is {}, place {}", name(id), label(job),
                             to_string(job.row.status), static_cast<int>(job.row.place)));
        }
        if (job.row.status == Status::completed && job.completions != 1) {
            fail(Invariant::sealed_once,
                 fmt::format("{} is completed, by {} attempts", name(id), job.completions));
        }
        if (job.row.status == Status::superseded && !follows(*job.row.superseded_by, id)) {
            fail(Invariant::last_payload,
                 fmt::format("{} is superseded by what is not its successor", name(id)));
        }
    }
}

void Checker::check_schedules_and_runs(Store& store) {
    for (const std::string& tenant : kTenants) {
        store.reads().list_schedules(tenant, std::nullopt, 1'000'000, [&](const auto& found) {
            if (!found->empty()) fail(Invariant::one_occurrence, "a deleted schedule is there");
        });
    }
    store.reads().list_open_bulk_runs([&](const auto& found) {
        if (!found->empty()) fail(Invariant::bulk_runs, "a bulk run does not end");
    });
}

bool Checker::follows(const JobId& successor, const JobId& predecessor) const {
    const auto found = jobs_.find(successor);
    return found != jobs_.end() && found->second.successor_of == predecessor;
}

// Decisions are exact. Repeats are summed in memory: a crash loses a second of them, and sums whose
// commit is unknown may be written twice.
void Checker::check_decisions(Store& store) {
    FenceChecker::Counts logged;
    FenceChecker::Counts of_fences;
    for (const std::string& tenant : kTenants) {
        store.reads().list_decisions(tenant, std::nullopt, 1'000'000, [&](auto found) {
            for (const LoggedDecision& one : *found) {
                if (one.entry.surface == "api") continue;  // replays: not decided again
                auto& counts = one.entry.surface == "fences" ? of_fences : logged;
                counts[{tenant, one.entry.decision}] += one.entry.count;
            }
        });
    }
    const bool is_exact = !crashed_ && !commit_was_unknown_;
    fences_.check_counted(of_fences, is_exact);
    for (const std::string& tenant : kTenants) {
        for (const Decision decision :
             {Decision::new_, Decision::duplicate, Decision::conflict, Decision::takeover}) {
            const std::pair key{tenant, decision};
            const auto made = decided_count_[key];
            const bool is_summed = decision == Decision::duplicate;
            const auto fits = [&](std::int64_t count) {
                return count >= made && count <= made + unseen_count_[key];
            };
            if (!fits(logged[key]) && (is_exact || !is_summed)) {
                fail(Invariant::decisions_counted,
                     fmt::format("{}: {} decisions were {}, the log has {}", tenant, made,
                                 to_string(decision), logged[key]));
            }
            if (is_exact && !fits(observed_count_[key])) {
                fail(Invariant::decisions_counted,
                     fmt::format("{}: {} decisions were {}, metrics have {}", tenant, made,
                                 to_string(decision), observed_count_[key]));
            }
        }
    }
}

}  // namespace semel::sim
