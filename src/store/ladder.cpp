#include "store/ladder.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/mutation.hpp"
#include "core/outbox.hpp"
#include "store/ready_deal.hpp"

namespace semel {
namespace {

// What is wanted of a job besides its row.
struct Parts {
    bool body = false;
    bool result = false;
    bool line = false;  // its lock group, with those who stand in it
};

constexpr Parts kRowOnly{};
constexpr Parts kInLine{.line = true};
constexpr Parts kWhole{.body = true, .result = true, .line = true};

class Ladder {
public:
    Ladder(RowSource& rows, const LoadSpec& spec, Time now) : rows_(rows), spec_(spec), now_(now) {
        loaded_.now = now;
        loaded_.jobs.reserve(spec.jobs.size() + spec.claims.size());
        loaded_.claims.reserve(spec.claims.size());
        known_.reserve(spec.jobs.size() + spec.claims.size());
        claim_owners_.reserve(spec.claims.size());
        for (const Query& query : spec.queries) {
            const auto* ready = std::get_if<ReadyQuery>(&query);
            ready_wanted_ +=
                ready != nullptr ? static_cast<std::size_t>(std::max(ready->limit, 0)) : 0;
        }
    }

    Loaded climb() {
        for (const Query& query : spec_.queries) {
            loaded_.queries.push_back(
                std::visit([&](const auto& asked) { return answer(asked); }, query));
        }
        add_named(spec_);
        add_named(found_names_);
        add_relations();
        add_schedules_of_jobs();
        add_groups();
        add_schedules_of_jobs();  // of those that wait in a group
        for (const Uuid& id : spec_.bulk_runs) {
            add_bulk_run(id);
        }
        for (const Uuid& id : spec_.api_tokens) {
            if (auto token = rows_.api_token(id)) {
                loaded_.api_tokens.push_back(std::move(*token));
            }
        }
        return std::move(loaded_);
    }

private:
    struct Known {
        std::size_t index;  // in loaded_.jobs; kAbsent
        Parts parts;
    };
    static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

    void add_named(const LoadSpec& spec) {
        for (const ClaimId& id : spec.claims) {
            add_claim(id, kWhole);
        }
        for (const JobRef& ref : spec.jobs) {
            const Parts parts{.body = ref.body, .result = ref.body, .line = true};
            if (add_job(ref.id, parts) && ref.claim) {
                add_claim_of(ref.id);
            }
        }
        for (const ScheduleKey& key : spec.schedules) {
            const auto* schedule = add_schedule(key);
            if (schedule != nullptr && schedule->current) {
                add_job(*schedule->current, kWhole);
            }
        }
    }

    // False: there is no such job.
    bool add_job(const JobId& id, Parts parts) {
        const auto [at, is_new] = known_.try_emplace(id, Known{kAbsent, kRowOnly});
        Known& known = at->second;
        if (is_new) {
            if (auto found = rows_.job(id, parts.body)) {
                known.index = loaded_.jobs.size();
                known.parts.body = parts.body;
                loaded_.jobs.push_back(std::move(found->job));
                if (found->body) {
                    loaded_.bodies.emplace_back(id, std::move(*found->body));
                }
            }
        }
        if (known.index == kAbsent) {
            return false;
        }
        add_parts(id, known, parts);
        return true;
    }

    void add_parts(const JobId& id, Known& known, Parts parts) {
        if (parts.body && !known.parts.body) {
            known.parts.body = true;
            if (auto body = rows_.body(id)) {
                loaded_.bodies.emplace_back(id, std::move(*body));
            }
        }
        if (parts.result && !known.parts.result) {
            known.parts.result = true;
            if (loaded_.jobs[known.index].has_result) {
                if (auto result = rows_.result(id)) {
                    loaded_.results.emplace_back(id, std::move(*result));
                }
            }
        }
        known.parts.line = known.parts.line || parts.line;
    }

    // False: there is no such claim.
    bool add_claim(const ClaimId& id, Parts owner_parts) {
        const auto [at, is_new] = claim_owners_.try_emplace(id);
        if (is_new) {
            if (auto claim = rows_.claim(id)) {
                at->second.emplace();
                for (const Owner& owner : claim->owners) {
                    at->second->push_back(owner.job);
                }
                loaded_.claims.push_back(std::move(*claim));
            }
        }
        if (!at->second) {
            return false;
        }
        for (const JobId& owner : *at->second) {
            add_job(owner, owner_parts);
        }
        return true;
    }

    void add_claim_of(const JobId& id) {
        if (const auto claim = loaded_.jobs[known_.at(id).index].claim) {
            add_claim(*claim, kRowOnly);
        }
    }

    // A successor joins its line when its predecessor's attempt ends; the key of a cancelled
    // successor returns to its predecessor; a superseded owner is answered by the one after it.
    void add_relations() {
        const std::size_t count = loaded_.jobs.size();
        for (std::size_t i = 0; i < count; ++i) {
            const auto predecessor = loaded_.jobs[i].predecessor;
            const auto successor = loaded_.jobs[i].successor;
            const auto superseded_by = loaded_.jobs[i].superseded_by;
            const Parts parts = known_.at(loaded_.jobs[i].id).parts;
            // The key of a cancelled successor returns to its predecessor, which then may be
            // answered.
            if (predecessor) add_job(*predecessor, parts.body ? kWhole : kInLine);
            if (successor) add_job(*successor, kInLine);
            if (superseded_by && parts.body) {
                add_job(*superseded_by, parts);
            }
        }
    }

    // Null: there is none.
    const Schedule* add_schedule(const ScheduleKey& key) {
        const auto [at, is_new] = schedules_.try_emplace(key, kAbsent);
        if (is_new) {
            if (auto schedule = rows_.schedule(key)) {
                at->second = loaded_.schedules.size();
                loaded_.schedules.push_back(std::move(*schedule));
            }
        }
        return at->second == kAbsent ? nullptr : &loaded_.schedules[at->second];
    }

    void add_schedules_of_jobs() {
        for (const Job& job : loaded_.jobs) {
            if (job.occurrence) {
                add_schedule({job.tenant, job.occurrence->name});
            }
        }
    }

    void add_groups() {
        std::map<GroupKey, int> leaving;  // how many members the batch may take out
        for (const LoadSpec* spec : {&spec_, static_cast<const LoadSpec*>(&found_names_)}) {
            for (const GroupKey& key : spec->groups) ++leaving[key];
        }
        for (const Job& job : loaded_.jobs) {
            const bool may_move = known_.at(job.id).parts.line || job.occurrence;
            if (!job.lock_group.empty() && may_move) {
                ++leaving[{job.tenant, job.lock_group}];
            }
        }
        for (const Schedule& schedule : loaded_.schedules) {
            if (!schedule.spec.lock_group.empty()) {
                ++leaving[{schedule.key.tenant, schedule.spec.lock_group}];
            }
        }
        for (const auto& [key, count] : leaving) {
            if (auto group = rows_.group(key)) {
                add_job(group->head, kRowOnly);
                loaded_.groups.push_back(std::move(*group));
                add_waiting(key, count + 1);
            }
        }
    }

    // An occurrence that waited past its slot may move back in line when its turn comes, so those
    // behind it are needed as well: `steady` members that stay where they are.
    std::vector<Job> waiting_up_to(const GroupKey& key, int steady) {
        int limit = steady;
        while (true) {
            std::vector<Job> line = rows_.waiting(key, limit);
            const auto late = std::count_if(line.begin(), line.end(),
                                            [&](const Job& job) { return is_late(job); });
            const int wanted = steady + static_cast<int>(late);
            if (wanted <= limit || line.size() < static_cast<std::size_t>(limit)) {
                return line;
            }
            limit = wanted;
        }
    }

    [[nodiscard]] bool is_late(const Job& job) const {
        return job.occurrence && job.occurrence->slot && *job.occurrence->slot < now_ &&
               !job.was_taken();
    }

    void add_waiting(const GroupKey& key, int steady) {
        for (Job& job : waiting_up_to(key, steady)) {
            const Known known{loaded_.jobs.size(), kRowOnly};
            if (known_.try_emplace(job.id, known).second) {
                loaded_.jobs.push_back(std::move(job));
            }
        }
    }

    // ---- queries --------------------------------------------------------------------------

    QueryResult answer(const ReadyQuery& query) {
        QueryResult result;
        result.jobs = deal_ready(rows_, query, found_, ready_wanted_);
        std::erase_if(result.jobs, [&](const JobId& id) {
            found_.insert(id);
            return !add_job(id, {.body = true});
        });
        return result;
    }

    QueryResult answer(const DueQuery& query) {
        return answer_timed(rows_.later(reach(query.limit)), now_, query.limit, kRowOnly);
    }

    QueryResult answer(const ExpiredQuery& query) {
        QueryResult result =
            answer_timed(rows_.running(reach(query.limit)), now_, query.limit, kInLine);
        for (const JobId& id : result.jobs) {
            add_claim_of(id);
        }
        return result;
    }

    QueryResult answer(const FinishedQuery& query) {
        const Time latest = now_ - query.age;
        QueryResult result =
            answer_timed(rows_.finished(reach(query.limit)), latest, query.limit, kRowOnly);
        result.next_at.reset();
        for (const JobId& id : result.jobs) {
            add_claim_of(id);
        }
        return result;
    }

    QueryResult answer(const ExpiredClaimsQuery& query) {
        QueryResult result;
        for (const ClaimId& id : rows_.expired_claims(now_, query.limit)) {
            if (add_claim(id, kRowOnly)) result.claims.push_back(id);
        }
        return result;
    }

    QueryResult answer(const FinishedBulkRunsQuery& query) {
        QueryResult result;
        for (const Uuid& id : rows_.finished_bulk_runs(now_ - query.age, query.limit)) {
            if (add_bulk_run(id)) result.bulk_runs.push_back(id);
        }
        return result;
    }

    QueryResult answer(const OldDecisionsQuery& query) {
        QueryResult result;
        result.decisions = rows_.decisions_before(day_of(now_ - query.age), query.limit);
        return result;
    }

    QueryResult answer(const OutboxQuery& query) {
        QueryResult result;
        result.outbox = rows_.outbox(query.limit, query.skip);
        for (const OutboxEntry& entry : result.outbox) {
            name_rows(entry, query.settings, found_names_);
        }
        return result;
    }

    QueryResult answer(const OldOutboxResultsQuery& query) {
        QueryResult result;
        result.outbox_results = rows_.outbox_results_before(now_ - query.age, query.limit);
        return result;
    }

    // False: there is none.
    bool add_bulk_run(const Uuid& id) {
        auto run = rows_.bulk_run(id);
        if (run) {
            loaded_.bulk_runs.push_back(std::move(*run));
        }
        return run.has_value();
    }

    // Enough of a line to fill `limit`, although earlier queries found some of it, and to see
    // what comes next.
    [[nodiscard]] int reach(int limit) const { return limit + static_cast<int>(found_.size()) + 1; }

    QueryResult answer_timed(const std::vector<TimedJob>& line, Time latest, int limit,
                             Parts parts) {
        QueryResult result;
        for (const TimedJob& entry : line) {
            if (found_.contains(entry.id)) {
                continue;
            }
            if (entry.at > latest || result.jobs.size() >= static_cast<std::size_t>(limit)) {
                result.next_at = entry.at;
                break;
            }
            // One that another node holds is that node's to look after; and what is settling is as
            // good as ended.
            if (add_job(entry.id, parts) && !is_settling(entry.id)) {
                found_.insert(entry.id);
                result.jobs.push_back(entry.id);
            }
        }
        return result;
    }

    [[nodiscard]] bool is_settling(const JobId& id) const {
        return loaded_.jobs[known_.at(id).index].settling && !SEMEL_MUTATION(settling_rescued);
    }

    RowSource& rows_;
    const LoadSpec& spec_;
    LoadSpec found_names_;  // the rows that what a query found needs
    const Time now_;
    Loaded loaded_;
    std::unordered_map<JobId, Known> known_;
    std::unordered_map<ClaimId, std::optional<std::vector<JobId>>> claim_owners_;  // empty: absent
    std::unordered_map<ScheduleKey, std::size_t> schedules_;  // in loaded_.schedules; kAbsent
    std::unordered_set<JobId> found_;
    std::size_t ready_wanted_ = 0;  // by all queries together
};

}  // namespace

Loaded climb_ladder(RowSource& rows, const LoadSpec& spec, Time now) {
    return Ladder(rows, spec, now).climb();
}

}  // namespace semel
