// WishedRows: the rows of one transaction among others, as the ladder asks for them.
//
// The ladder asks for one row at a time; fetching them one by one would be far too slow. So what is
// not known yet is answered as absent and remembered as a wish, then fetched with everything else
// that was wished for, and the ladder is climbed again: as many fetches as it has rungs. How they
// are fetched is a store's own.
//
// What is fetched is locked, and nothing waits for a lock: a row that somebody else has locked is
// *held*. Who has no locks to wait for cannot be in a deadlock. A job may be guessed instead of
// fetched (remembered_jobs.hpp): then the save locks it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/remembered_jobs.hpp"
#include "store/row_source.hpp"

namespace semel {

class WishedRows : public RowSource {
public:
    // What the spec says is completed, and is remembered, is not fetched. Before anything else.
    void guess(const LoadSpec& spec, const RememberedJobs& remembered, Time now);
    // Those that are known by nothing better.
    [[nodiscard]] const Guesses& guesses() const { return guesses_; }

    // Whether something was asked for that is not known yet.
    [[nodiscard]] bool has_wishes() const;
    // Rows that were asked for, exist, and are held by somebody else.
    [[nodiscard]] Held held() const;
    // Of those, the jobs that run at the head of a group that is not held.
    [[nodiscard]] std::vector<JobId> running_heads() const;

    [[nodiscard]] std::optional<Claim> claim(const ClaimId& id) override;
    [[nodiscard]] std::optional<FoundJob> job(const JobId& id, bool with_body) override;
    [[nodiscard]] std::optional<JobBody> body(const JobId& id) override;
    [[nodiscard]] std::optional<JobResult> result(const JobId& id) override;
    [[nodiscard]] std::optional<LockGroup> group(const GroupKey& key) override;
    [[nodiscard]] std::optional<Schedule> schedule(const ScheduleKey& key) override;
    [[nodiscard]] std::optional<BulkRun> bulk_run(const Uuid& id) override;
    [[nodiscard]] std::optional<ApiToken> api_token(const Uuid& id) override;
    // Asked for when its claim is locked, and not before.
    [[nodiscard]] std::optional<Content> content(const ClaimId& claim) override;
    [[nodiscard]] std::optional<Source> source(const SourceKey& key) override;
    [[nodiscard]] std::vector<SourceKey> expired_sources(Time now, int limit) override;
    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) override;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) override;
    [[nodiscard]] std::optional<JobId> step(const StepRef& step) override;
    [[nodiscard]] std::vector<JobId> steps(const JobId& chain, int limit) override;
    [[nodiscard]] std::vector<JobId> telling(int limit) override;
    [[nodiscard]] std::vector<BlockerView> blocker_views(const JobId& job) override;
    [[nodiscard]] std::vector<JobId> waits_of(const JobId& chain) override;
    // An id may be taken a moment later: who finds it so when it inserts decides again.
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
    [[nodiscard]] std::vector<Uuid> outbox_results_before(Time time, int limit) override;

protected:
    // By an id: looked up, and never gone through, which would be in another order each time.
    template <typename Key, typename Value>
    using ById = std::conditional_t<std::is_same_v<Key, Uuid> || std::is_same_v<Key, Hash256>,
                                    std::unordered_map<Key, Value>, std::map<Key, Value>>;

    // What is known of one kind of question.
    template <typename Key, typename Value>
    struct Known {
        ById<Key, Value> values;
        std::set<Key> wishes;

        // Null: not known yet.
        const Value* find(const Key& key) {
            const auto at = values.find(key);
            if (at != values.end()) {
                return &at->second;
            }
            wishes.insert(key);
            return nullptr;
        }
    };

    // Rows that are locked when they are fetched. Empty: absent, or held.
    template <typename Key, typename Row>
    struct Locked : Known<Key, std::optional<Row>> {
        std::set<Key> held;

        [[nodiscard]] std::optional<Row> row(const Key& key) {
            const auto* found = this->find(key);
            return found != nullptr ? *found : std::nullopt;
        }
    };

    using LineKey = std::pair<std::string, std::string>;  // tenant, type
    struct ReadyLine {
        std::vector<ReadyEntry> entries;
        bool is_whole = false;
        int wish = 0;  // how many more
    };
    using Limited = Known<int, std::vector<TimedJob>>;

    // That was found in its line, and locked.
    void know_ready(Job job, std::optional<JobBody> body);
    // That was locked with its claim, before it was asked for. What is known stays.
    void know_owner(Job job, std::optional<JobBody> body);
    // Who wants more of a job than its row wants it to fit: then it is fetched with the row.
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
    std::set<JobId> with_body_;  // of the wishes in jobs_, those that want their payload too
    Known<JobId, std::optional<JobBody>> bodies_;
    Known<JobId, std::optional<JobResult>> results_;
    Locked<GroupKey, LockGroup> groups_;
    std::set<JobId> running_heads_;  // read without a lock, when their groups were locked
    Locked<ScheduleKey, Schedule> schedules_;
    Locked<Uuid, BulkRun> bulk_runs_;
    Locked<Uuid, ApiToken> api_tokens_;

    // The edges to a chain are asked for when its first job is locked, and not before.
    Known<JobId, std::vector<Edge>> edges_of_job_;
    Known<JobId, std::vector<Edge>> edges_to_chain_;
    Known<std::pair<JobId, int>, std::optional<JobId>> step_;
    Known<std::pair<JobId, int>, std::vector<JobId>> steps_;
    Known<int, std::vector<JobId>> telling_;
    Known<JobId, std::vector<BlockerView>> blocker_views_;
    Known<JobId, std::vector<JobId>> waits_of_;
    Known<JobId, bool> taken_;

    Known<std::string, std::optional<std::string>> next_tenant_;  // "": the first
    std::map<LineKey, ReadyLine> ready_;
    Limited later_;
    Limited running_;
    Limited finished_;
    Known<std::pair<GroupKey, int>, std::vector<JobId>> waiting_;
    // By the limit alone: time goes on between two climbs, and what was past its time still is.
    Known<int, std::vector<ClaimId>> expired_claims_;
    Known<int, std::vector<SourceKey>> expired_sources_;
    Known<int, std::vector<Uuid>> finished_bulk_runs_;
    Known<int, std::vector<DecisionRef>> decisions_before_;
    // First the right to drain, then what there is to drain: who looked before having the right
    // would see entries that another node has decided.
    std::optional<bool> drains_;
    bool wants_to_drain_ = false;
    Known<std::pair<int, std::vector<std::int64_t>>, std::vector<OutboxEntry>> outbox_;
    Known<int, std::vector<Uuid>> outbox_results_before_;
    Time expired_by_;
    Time told_before_;
    Time finished_by_;
    std::int64_t decided_before_ = 0;

private:
    // A line is read without a lock, so a job may have left it since: those that are known to be
    // elsewhere by now are left out. `stands_at` tells when a job of this line is due, if it is
    // one.
    [[nodiscard]] std::vector<TimedJob> still_there(
        Limited& line, int limit, std::optional<Time> (*stands_at)(const Job&)) const;
};

// What a load answers when nothing is wished for any more: with what is held, and at a time that
// is no earlier than its rows.
[[nodiscard]] Loaded answer_of(Loaded climbed, const WishedRows& rows);

}  // namespace semel
