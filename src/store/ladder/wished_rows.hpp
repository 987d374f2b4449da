// WishedRows: a RowSource for a store that shares its rows with other nodes, and fetches them in
// bulk.
//
// The ladder asks for one row at a time, and one fetch per row would be far too slow. So an unknown
// row is answered as absent and remembered as a wish. The store's subclass then fetches all wishes
// at once, and the ladder is climbed again until there are no wishes. One fetch is needed per rung
// of the ladder.
//
// The subclass protects the rows until the commit. PostgreSQL locks them with the fetch and does
// not wait for other locks (unless LoadSpec::wait is set), so it cannot deadlock. A row that
// another transaction has locked is *locked elsewhere*, and is answered as absent too (see
// locked()). A job can be guessed instead of fetched (remembered_jobs.hpp): then the save locks and
// checks it. Redis locks nothing: the commit compares stamps.
//
// Errors: those of the subclass.
// Threads: the thread of the transaction.
// Lifetime: one object per transaction.
#pragma once

#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/caches/remembered_jobs.hpp"
#include "store/ladder/row_source.hpp"

namespace semel {

class WishedRows : public RowSource {
public:
    // Guesses the jobs that the spec completes and that are remembered: they are not fetched. Call
    // it before the first climb.
    void guess(const LoadSpec& spec, const RememberedJobs& remembered, Time now);
    // Jobs that are guessed and were not fetched since.
    [[nodiscard]] const Guesses& guesses() const { return guesses_; }

    // Returns true if the climb asked for unknown rows, so that a fetch and a climb must follow.
    [[nodiscard]] bool has_wishes() const;
    // Rows that exist, were asked for, and are locked elsewhere.
    [[nodiscard]] LockedElsewhere locked() const;
    // The running heads, among these jobs, of lock groups that this transaction has locked.
    [[nodiscard]] std::vector<JobId> running_heads() const;

    [[nodiscard]] std::optional<Claim> claim(const ClaimId& id) override;
    [[nodiscard]] std::optional<FoundJob> job(const JobId& id, bool with_body) override;
    [[nodiscard]] std::optional<JobBody> body(const JobId& id) override;
    [[nodiscard]] std::optional<JobResult> result(const JobId& id) override;
    [[nodiscard]] std::optional<LockGroup> group(const GroupKey& key) override;
    [[nodiscard]] std::optional<Schedule> schedule(const ScheduleKey& key) override;
    [[nodiscard]] std::optional<BulkRun> bulk_run(const Uuid& id) override;
    [[nodiscard]] std::optional<ApiToken> api_token(const Uuid& id) override;
    // Asked for only after its claim is locked.
    [[nodiscard]] std::optional<Content> content(const ClaimId& claim) override;
    [[nodiscard]] std::optional<Source> source(const SourceKey& key) override;
    [[nodiscard]] std::vector<SourceKey> expired_sources(Time now, int limit) override;
    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) override;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) override;
    [[nodiscard]] std::optional<JobId> step(const StepRef& step) override;
    [[nodiscard]] std::vector<JobId> steps(const JobId& chain, int limit) override;
    [[nodiscard]] std::vector<JobId> failing_dependants(int limit) override;
    [[nodiscard]] std::vector<BlockerView> blocker_views(const JobId& job) override;
    [[nodiscard]] std::vector<JobId> waits_of(const JobId& chain) override;
    // The id can be taken by another node later. Then the insert fails, and the batch is decided
    // again.
    [[nodiscard]] bool is_taken(const JobId& id) override;
    [[nodiscard]] std::optional<std::string> ready_tenant_after(
        const std::optional<std::string>& tenant) override;
    [[nodiscard]] std::vector<ReadyEntry> ready(const std::string& tenant, const std::string& type,
                                                const std::optional<ReadyEntry>& after,
                                                int limit) override;
    [[nodiscard]] std::vector<TimedJob> later(int limit) override;
    [[nodiscard]] std::vector<TimedJob> running(int limit) override;
    [[nodiscard]] std::vector<TimedJob> finished(int limit) override;
    [[nodiscard]] std::vector<Job> waiting(const GroupKey& key, int limit) override;
    [[nodiscard]] std::vector<ClaimId> expired_claims(Time now, int limit) override;
    [[nodiscard]] std::vector<Uuid> finished_bulk_runs(Time latest, int limit) override;
    [[nodiscard]] std::vector<DecisionRef> decisions_before(std::int64_t day, int limit) override;
    [[nodiscard]] std::vector<OutboxEntry> outbox(int limit,
                                                  const std::vector<std::int64_t>& skip) override;
    [[nodiscard]] std::vector<Uuid> expired_responses(Time now, int limit) override;
    [[nodiscard]] std::vector<Uuid> outbox_results_before(Time time, int limit) override;

protected:
    // Rows by an id are searched and never iterated, because the order of a hash map is not stable.
    template <typename Key, typename Value>
    using ById = std::conditional_t<std::is_same_v<Key, Uuid> || std::is_same_v<Key, Hash256>,
                                    std::unordered_map<Key, Value>, std::map<Key, Value>>;

    // The answers to one kind of question.
    template <typename Key, typename Value>
    struct Known {
        ById<Key, Value> values;
        std::set<Key> wishes;

        // Returns null and adds a wish if the answer is unknown.
        const Value* find(const Key& key) {
            const auto at = values.find(key);
            if (at != values.end()) {
                return &at->second;
            }
            wishes.insert(key);
            return nullptr;
        }
    };

    // Rows that a fetch locks. nullopt: absent, or locked elsewhere.
    template <typename Key, typename Row>
    struct Locked : Known<Key, std::optional<Row>> {
        std::set<Key> locked;

        [[nodiscard]] std::optional<Row> row(const Key& key) {
            const auto* found = this->find(key);
            return found != nullptr ? *found : std::nullopt;
        }
    };

    using QueueKey = std::pair<std::string, std::string>;  // tenant, type
    struct ReadyQueue {
        std::vector<ReadyEntry> entries;
        bool is_whole = false;
        int wish = 0;  // further entries to fetch
    };
    using Limited = Known<int, std::vector<TimedJob>>;

    // Adds a ready job that was found in its queue and locked.
    void know_ready(Job job, std::optional<JobBody> body);
    // Adds a job that was locked with its claim, before it was asked for. A known row stays.
    void know_owner(Job job, std::optional<JobBody> body);
    // Drops a guess if more than the row is needed: the rest must fit the row, so both are fetched.
    void fetch_guessed(const JobId& id);

    template <typename Key>
    [[nodiscard]] static std::vector<Key> listed(const std::set<Key>& keys) {
        return {keys.begin(), keys.end()};
    }

    Locked<ClaimId, Claim> claims_;
    Known<ClaimId, std::optional<Content>> contents_;
    Locked<SourceKey, Source> sources_;
    Locked<JobId, Job> jobs_;
    Guesses guesses_;            // of jobs_
    std::set<JobId> with_body_;  // wishes in jobs_ that need the payload too
    Known<JobId, std::optional<JobBody>> bodies_;
    Known<JobId, std::optional<JobResult>> results_;
    Locked<GroupKey, LockGroup> groups_;
    std::set<JobId> running_heads_;  // read without a lock, when their groups were locked
    Locked<ScheduleKey, Schedule> schedules_;
    Locked<Uuid, BulkRun> bulk_runs_;
    Locked<Uuid, ApiToken> api_tokens_;

    // The edges to a chain are asked for only after its first job is locked.
    Known<JobId, std::vector<Edge>> edges_of_job_;
    Known<JobId, std::vector<Edge>> edges_to_chain_;
    Known<std::pair<JobId, int>, std::optional<JobId>> step_;
    Known<std::pair<JobId, int>, std::vector<JobId>> steps_;
    Known<int, std::vector<JobId>> failing_dependants_;
    Known<JobId, std::vector<BlockerView>> blocker_views_;
    Known<JobId, std::vector<JobId>> waits_of_;
    Known<JobId, bool> taken_;

    Known<std::string, std::optional<std::string>> next_tenant_;  // "": the first
    std::map<QueueKey, ReadyQueue> ready_;
    Limited later_;
    Limited running_;
    Limited finished_;
    Known<std::pair<GroupKey, int>, std::vector<JobId>> waiting_;
    // Keyed by the limit alone: time passes between two climbs, and an expired row stays expired.
    Known<int, std::vector<ClaimId>> expired_claims_;
    Known<int, std::vector<SourceKey>> expired_sources_;
    Known<int, std::vector<Uuid>> finished_bulk_runs_;
    Known<int, std::vector<DecisionRef>> decisions_before_;
    // The right to drain is fetched before the entries. A read without the right could return
    // entries that another node has decided.
    std::optional<bool> drains_;
    bool wants_to_drain_ = false;
    Known<std::pair<int, std::vector<std::int64_t>>, std::vector<OutboxEntry>> outbox_;
    Known<int, std::vector<Uuid>> expired_responses_;
    Known<int, std::vector<Uuid>> outbox_results_before_;
    Time expired_by_;
    Time responses_by_;
    Time results_before_;
    Time finished_by_;
    std::int64_t decided_before_ = 0;

private:
    // The queue is read without a lock, so a job can have left it since. Returns the entries except
    // the jobs that are known to be elsewhere. `stands_at` returns the time of a job in this queue.
    [[nodiscard]] std::vector<TimedJob> still_there(
        Limited& queue, int limit, std::optional<Time> (*stands_at)(const Job&)) const;
};

// Returns the result of a load after the last climb. It adds the rows locked elsewhere, and a time
// that is not before its rows.
[[nodiscard]] Loaded answer_of(Loaded climbed, const WishedRows& rows);

}  // namespace semel
