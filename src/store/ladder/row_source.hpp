// RowSource: the reads that a load consists of. A store implements them one by one. The ladder
// (ladder.hpp) decides for all stores which rows a batch needs.
//
// Every read sees the state of the running transaction. Lists with `limit` return at most that many
// rows.
//
// Errors: an implementation records them, and the store checks them after the climb.
// Threads: the thread of the transaction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/batch/load_spec.hpp"

namespace semel {

// The position of a ready job in the queue of its tenant and type.
struct ReadyEntry {
    int urgency = 0;  // priority, negated: smaller goes first
    Time scheduled_at;
    JobId id;

    auto operator<=>(const ReadyEntry&) const = default;
};

// A job with the time that its queue is ordered by.
struct TimedJob {
    Time at;
    JobId id;

    auto operator<=>(const TimedJob&) const = default;
};

// A job, with its payload if the caller asked for it.
struct FoundJob {
    Job job;
    std::optional<JobBody> body;
};

class RowSource {
public:
    virtual ~RowSource() = default;

    // Rows by key. nullopt: no such row.
    [[nodiscard]] virtual std::optional<Claim> claim(const ClaimId& id) = 0;
    [[nodiscard]] virtual std::optional<FoundJob> job(const JobId& id, bool with_body) = 0;
    [[nodiscard]] virtual std::optional<JobBody> body(const JobId& id) = 0;
    [[nodiscard]] virtual std::optional<JobResult> result(const JobId& id) = 0;
    [[nodiscard]] virtual std::optional<LockGroup> group(const GroupKey& key) = 0;
    [[nodiscard]] virtual std::optional<Schedule> schedule(const ScheduleKey& key) = 0;
    [[nodiscard]] virtual std::optional<BulkRun> bulk_run(const Uuid& id) = 0;
    [[nodiscard]] virtual std::optional<ApiToken> api_token(const Uuid& id) = 0;

    // Rows of fences.
    [[nodiscard]] virtual std::optional<Content> content(const ClaimId& claim) = 0;
    [[nodiscard]] virtual std::optional<Source> source(const SourceKey& key) = 0;
    // Sources that expire at `now` or earlier, the earliest first.
    [[nodiscard]] virtual std::vector<SourceKey> expired_sources(Time now, int limit) = 0;

    // Rows of chains. The edges to a chain are asked for after its first job. Rows of other chains
    // are read without locks.
    [[nodiscard]] virtual std::vector<Edge> edges_of_job(const JobId& blocked) = 0;  // in order
    [[nodiscard]] virtual std::vector<Edge> edges_to_chain(const JobId& blocker) = 0;
    [[nodiscard]] virtual std::optional<JobId> step(const StepRef& step) = 0;
    // Jobs of a chain after its first, the oldest first.
    [[nodiscard]] virtual std::vector<JobId> steps(const JobId& chain, int limit) = 0;
    // Jobs in Place::failing_dependants: the jobs that wait for their chain must still be failed.
    [[nodiscard]] virtual std::vector<JobId> failing_dependants(int limit) = 0;
    // The outcomes of a job's blockers, in order.
    [[nodiscard]] virtual std::vector<BlockerView> blocker_views(const JobId& job) = 0;
    // The chains that a chain waits for now.
    [[nodiscard]] virtual std::vector<JobId> waits_of(const JobId& chain) = 0;
    // Returns true if a new job cannot have this id: a job has it, or a deleted job had it and an
    // edge or a step still names it.
    [[nodiscard]] virtual bool is_taken(const JobId& id) = 0;

    // The first tenant with ready jobs after this one, in byte order. nullopt: the first of all.
    [[nodiscard]] virtual std::optional<std::string> ready_tenant_after(
        const std::optional<std::string>& tenant) = 0;
    // Ready jobs of a tenant and type after `after`, in order.
    [[nodiscard]] virtual std::vector<ReadyEntry> ready(const std::string& tenant,
                                                        const std::string& type,
                                                        const std::optional<ReadyEntry>& after,
                                                        int limit) = 0;

    // The first jobs of each queue. later() and waiting() order by scheduledAt, and finished()
    // (Place::done) by the end. running() orders by the end of the lease or the timeout, whichever
    // is earlier.
    [[nodiscard]] virtual std::vector<TimedJob> later(int limit) = 0;
    [[nodiscard]] virtual std::vector<TimedJob> running(int limit) = 0;
    [[nodiscard]] virtual std::vector<TimedJob> finished(int limit) = 0;
    [[nodiscard]] virtual std::vector<Job> waiting(const GroupKey& key, int limit) = 0;
    // Claims that expire at `now` or earlier, the earliest first.
    [[nodiscard]] virtual std::vector<ClaimId> expired_claims(Time now, int limit) = 0;
    // Bulk runs that finished at `latest` or earlier, the earliest first.
    [[nodiscard]] virtual std::vector<Uuid> finished_bulk_runs(Time latest, int limit) = 0;
    // Entries of the decision log written on days before this one.
    [[nodiscard]] virtual std::vector<DecisionRef> decisions_before(std::int64_t day,
                                                                    int limit) = 0;
    // The first entries of the outbox except `skip`, or none if another transaction drains it. Only
    // a store that users' transactions can write to has an outbox.
    [[nodiscard]] virtual std::vector<OutboxEntry> outbox(
        int /*limit*/, const std::vector<std::int64_t>& /*skip*/) {
        return {};
    }
    // Bodies of kept answers that expire at `now` or earlier. A store of fences alone has none.
    [[nodiscard]] virtual std::vector<Uuid> expired_responses(Time /*now*/, int /*limit*/) {
        return {};
    }
    // Results of outbox entries written before `time`.
    [[nodiscard]] virtual std::vector<Uuid> outbox_results_before(Time /*time*/, int /*limit*/) {
        return {};
    }
};

}  // namespace semel
