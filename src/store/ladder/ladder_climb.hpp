// Climb: one climb of the ladder, from the rows that a batch names to all rows that its decisions
// can need. Only climb_ladder() uses it. core/batch/load_spec.hpp lists the rungs.
//
// Errors: `rows` records them. REQUIRES: one run() per object.
// Threads: the thread of the transaction.
// Lifetime: `rows` and `spec` outlive the object.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "store/ladder/row_source.hpp"

namespace semel::ladder {

// The parts of a job to load in addition to its row.
struct Parts {
    bool body = false;
    bool result = false;
    bool queue = false;  // its lock group, with the waiting members
};

inline constexpr Parts kRowOnly{};
inline constexpr Parts kInQueue{.queue = true};
inline constexpr Parts kWhole{.body = true, .result = true, .queue = true};

class Climb {
public:
    Climb(RowSource& rows, const LoadSpec& spec, Time now);
    [[nodiscard]] Loaded run();

private:
    struct Known {
        std::size_t index;  // in loaded_.jobs, or kAbsent
        Parts parts;
    };
    static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

    void add_named(const LoadSpec& spec);
    void add_ref(const JobRef& ref);
    // Returns true if there is room for the edges of a job that may wait. True for the first job.
    [[nodiscard]] bool has_room_for(const JobRef& ref);
    [[nodiscard]] bool is_left_out(const JobId& id) const;
    // Returns false if there is no such job.
    bool add_job(const JobId& id, Parts parts);
    void add_parts(const JobId& id, Known& known, Parts parts);
    [[nodiscard]] const Job& known_job(const JobId& id) const;

    // ---- chains ---------------------------------------------------------------------------

    // Adds the last job of the chain that this job begins.
    void add_last(const JobId& first, Parts parts);
    void add_outcome(const JobId& id);
    void add_step(const StepRef& step);
    void add_edge(const Edge& edge);
    // Returns the number of blockers.
    std::size_t add_blockers_of(const JobId& id);
    // Adds the first jobs of the chains that can end or continue.
    void add_firsts();
    // Adds the jobs that wait for the chains that can end.
    void add_dependants();
    [[nodiscard]] bool has_dependants(const Job& job) const;
    // Adds the chains that other chains wait for, at every level.
    void add_waits();

    // ---- claims and relations -------------------------------------------------------------

    // Returns false if there is no such claim.
    bool add_claim(const ClaimId& id, Parts owner_parts);
    // Adds an owner of a claim. Of a chain it adds the last job too, which has the chain's outcome.
    // A request with the key never changes the chain.
    void add_owner(const JobId& id, Parts parts);
    // Adds the claim of a job. The claim of a chain belongs to its first job.
    void add_claim_of(const JobId& id);
    // Adds the related jobs of each job:
    // - A successor joins its queue when its predecessor's attempt ends.
    // - The key of a cancelled successor returns to its predecessor.
    // - A superseded owner is answered with the job that superseded it.
    void add_relations();
    void add_contents();
    // Adds the named sources, and the sources of loaded claims.
    void add_sources();
    void add_source(const SourceKey& key);
    // Returns null if there is no such schedule.
    const Schedule* add_schedule(const ScheduleKey& key);
    void add_schedules_of_jobs();
    void add_groups();
    // Reads members of a group until `steady` of them keep their place. A late occurrence can move
    // back in the queue when its turn comes, so the members after it are needed too.
    [[nodiscard]] std::vector<Job> waiting_up_to(const GroupKey& key, int steady);
    [[nodiscard]] bool is_late(const Job& job) const;
    void add_waiting(const GroupKey& key, int steady);

    // ---- queries --------------------------------------------------------------------------

    [[nodiscard]] QueryResult answer(const ReadyQuery& query);
    // Adds the outcomes of the found jobs' blockers. If these are too many, the last jobs are left
    // out.
    void add_blocker_views(QueryResult& result);
    [[nodiscard]] QueryResult answer(const DueQuery& query);
    [[nodiscard]] QueryResult answer(const ExpiredQuery& query);
    [[nodiscard]] QueryResult answer(const FinishedQuery& query);
    // Loads the jobs and blockers of a finished chain, so that prune() can delete it. Adds the
    // number of these rows to `rows_of_query`. Leaves out later jobs if the chain has too many.
    [[nodiscard]] FinishedChain finished_chain(const JobId& last, std::size_t& rows_of_query);
    [[nodiscard]] QueryResult answer(const FailingDependantsQuery& query);
    [[nodiscard]] QueryResult answer(const DeletionQuery& query);
    // Adds the chains that it waited for to `below`.
    void add_deleted(const JobId& chain, bool cascade, ChainDeletion& deletion,
                     std::vector<JobId>& below);
    [[nodiscard]] QueryResult answer(const ExpiredClaimsQuery& query);
    [[nodiscard]] QueryResult answer(const ExpiredSourcesQuery& query);
    [[nodiscard]] QueryResult answer(const FinishedBulkRunsQuery& query);
    [[nodiscard]] QueryResult answer(const OldDecisionsQuery& query);
    [[nodiscard]] QueryResult answer(const OutboxQuery& query);
    [[nodiscard]] QueryResult answer(const ExpiredResponsesQuery& query);
    [[nodiscard]] QueryResult answer(const OldOutboxResultsQuery& query);
    // Returns false if there is no such run.
    bool add_bulk_run(const Uuid& id);
    // Returns how many entries of a queue to read: enough for the jobs that earlier queries found,
    // `limit` more, and the one after them.
    [[nodiscard]] int reach(int limit) const { return limit + static_cast<int>(found_.size()) + 1; }

    [[nodiscard]] QueryResult answer_timed(const std::vector<TimedJob>& queue, Time latest,
                                           int limit, Parts parts);
    [[nodiscard]] bool is_settling(const JobId& id) const;

    RowSource& rows_;
    const LoadSpec& spec_;
    LoadSpec found_names_;  // the rows that the results of queries need
    const Time now_;
    Loaded loaded_;
    std::unordered_map<JobId, Known> known_;
    std::unordered_map<ClaimId, std::optional<std::vector<JobId>>> claim_owners_;  // empty: absent
    std::unordered_map<ScheduleKey, std::size_t> schedules_;  // in loaded_.schedules, or kAbsent
    std::unordered_set<SourceKey> sources_;                   // already searched
    std::unordered_set<JobId> found_;                         // by queries
    std::size_t ready_wanted_ = 0;  // the ready jobs that all queries want together
    std::size_t may_wait_edges_ = 0;
    bool is_full_ = false;
    std::set<EdgeKey> edges_;  // in loaded_.edges
};

}  // namespace semel::ladder
