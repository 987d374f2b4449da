// Climb: one climb of the ladder, from what a batch names to all that its decisions can need.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "store/row_source.hpp"

namespace semel::ladder {

// What is wanted of a job besides its row.
struct Parts {
    bool body = false;
    bool result = false;
    bool line = false;  // its lock group, with those who stand in it
};

inline constexpr Parts kRowOnly{};
inline constexpr Parts kInLine{.line = true};
inline constexpr Parts kWhole{.body = true, .result = true, .line = true};

class Climb {
public:
    Climb(RowSource& rows, const LoadSpec& spec, Time now);
    [[nodiscard]] Loaded run();

private:
    struct Known {
        std::size_t index;  // in loaded_.jobs; kAbsent
        Parts parts;
    };
    static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

    void add_named(const LoadSpec& spec);
    void add_ref(const JobRef& ref);
    // Whether there is room for the edges of one that may wait; always for the first.
    [[nodiscard]] bool has_room_for(const JobRef& ref);
    [[nodiscard]] bool is_left_out(const JobId& id) const;
    // False: there is no such job.
    bool add_job(const JobId& id, Parts parts);
    void add_parts(const JobId& id, Known& known, Parts parts);
    [[nodiscard]] const Job& known_job(const JobId& id) const;

    // ---- chains ---------------------------------------------------------------------------

    // Of the chain that a job begins.
    void add_last(const JobId& first, Parts parts);
    void add_outcome(const JobId& id);
    void add_step(const StepRef& step);
    void add_edge(const Edge& edge);
    // How many there are.
    std::size_t add_blockers_of(const JobId& id);
    // The first jobs of the chains that may end or go on.
    void add_firsts();
    // Those who wait for the chains that may end.
    void add_dependants();
    [[nodiscard]] bool has_dependants(const Job& job) const;
    // Whom the chains wait for, and those in turn.
    void add_waits();

    // ---- claims and relations -------------------------------------------------------------

    // False: there is no such claim.
    bool add_claim(const ClaimId& id, Parts owner_parts);
    // A chain stays as it is, whatever is asked under its key; its last job says what it has come
    // to.
    void add_owner(const JobId& id, Parts parts);
    // A chain's claim is its first job's.
    void add_claim_of(const JobId& id);
    // A successor joins its line when its predecessor's attempt ends; the key of a cancelled
    // successor returns to its predecessor; a superseded owner is answered by the one after it.
    void add_relations();
    void add_contents();
    // Those named, and those that loaded claims hold.
    void add_sources();
    void add_source(const SourceKey& key);
    // Null: there is none.
    const Schedule* add_schedule(const ScheduleKey& key);
    void add_schedules_of_jobs();
    void add_groups();
    // An occurrence that waited past its slot may move back in line when its turn comes, so those
    // behind it are needed as well: `steady` members that stay where they are.
    [[nodiscard]] std::vector<Job> waiting_up_to(const GroupKey& key, int steady);
    [[nodiscard]] bool is_late(const Job& job) const;
    void add_waiting(const GroupKey& key, int steady);

    // ---- queries --------------------------------------------------------------------------

    [[nodiscard]] QueryResult answer(const ReadyQuery& query);
    // What the jobs that were found waited for. Where that would be too much, the last of them are
    // left out.
    void add_blocker_views(QueryResult& result);
    [[nodiscard]] QueryResult answer(const DueQuery& query);
    [[nodiscard]] QueryResult answer(const ExpiredQuery& query);
    [[nodiscard]] QueryResult answer(const FinishedQuery& query);
    // With what its jobs waited for. `rows` counts how much that was.
    [[nodiscard]] FinishedChain finished_chain(const JobId& last, std::size_t& rows);
    [[nodiscard]] QueryResult answer(const TellingQuery& query);
    [[nodiscard]] QueryResult answer(const DeletionQuery& query);
    // `below` gets the chains that it waited for.
    void add_deleted(const JobId& chain, bool cascade, ChainDeletion& deletion,
                     std::vector<JobId>& below);
    [[nodiscard]] QueryResult answer(const ExpiredClaimsQuery& query);
    [[nodiscard]] QueryResult answer(const ExpiredSourcesQuery& query);
    [[nodiscard]] QueryResult answer(const FinishedBulkRunsQuery& query);
    [[nodiscard]] QueryResult answer(const OldDecisionsQuery& query);
    [[nodiscard]] QueryResult answer(const OutboxQuery& query);
    [[nodiscard]] QueryResult answer(const OldOutboxResultsQuery& query);
    // False: there is none.
    bool add_bulk_run(const Uuid& id);
    // Enough of a line to fill `limit`, although earlier queries found some of it, and to see
    // what comes next.
    [[nodiscard]] int reach(int limit) const { return limit + static_cast<int>(found_.size()) + 1; }

    [[nodiscard]] QueryResult answer_timed(const std::vector<TimedJob>& line, Time latest,
                                           int limit, Parts parts);
    [[nodiscard]] bool is_settling(const JobId& id) const;

    RowSource& rows_;
    const LoadSpec& spec_;
    LoadSpec found_names_;  // the rows that what a query found needs
    const Time now_;
    Loaded loaded_;
    std::unordered_map<JobId, Known> known_;
    std::unordered_map<ClaimId, std::optional<std::vector<JobId>>> claim_owners_;  // empty: absent
    std::unordered_map<ScheduleKey, std::size_t> schedules_;  // in loaded_.schedules; kAbsent
    std::unordered_set<SourceKey> sources_;                   // looked up
    std::unordered_set<JobId> found_;
    std::size_t ready_wanted_ = 0;  // by all queries together
    std::size_t may_wait_edges_ = 0;
    bool is_full_ = false;
    std::set<EdgeKey> edges_;  // in loaded_.edges
};

}  // namespace semel::ladder
