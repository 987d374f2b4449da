// RowSource: the look-ups that a load is made of, for stores that answer them one by one inside a
// serial transaction. Which rows a batch needs is decided in ladder.hpp, once for all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/load_spec.hpp"

namespace semel {

// Where a ready job stands within its tenant and type.
struct ReadyEntry {
    int urgency = 0;  // priority, negated: smaller goes first
    Time scheduled_at;
    JobId id;

    auto operator<=>(const ReadyEntry&) const = default;
};

// A job with the time that its line is ordered by.
struct TimedJob {
    Time at;
    JobId id;

    auto operator<=>(const TimedJob&) const = default;
};

// A job, and its payload where that was asked for.
struct FoundJob {
    Job job;
    std::optional<JobBody> body;
};

class RowSource {
public:
    virtual ~RowSource() = default;

    // Rows by key. Empty: absent.
    [[nodiscard]] virtual std::optional<Claim> claim(const ClaimId& id) = 0;
    [[nodiscard]] virtual std::optional<FoundJob> job(const JobId& id, bool with_body) = 0;
    [[nodiscard]] virtual std::optional<JobBody> body(const JobId& id) = 0;
    [[nodiscard]] virtual std::optional<JobResult> result(const JobId& id) = 0;
    [[nodiscard]] virtual std::optional<LockGroup> group(const GroupKey& key) = 0;
    [[nodiscard]] virtual std::optional<Schedule> schedule(const ScheduleKey& key) = 0;
    [[nodiscard]] virtual std::optional<BulkRun> bulk_run(const Uuid& id) = 0;
    [[nodiscard]] virtual std::optional<ApiToken> api_token(const Uuid& id) = 0;

    // Of fences.
    [[nodiscard]] virtual std::optional<Content> content(const ClaimId& claim) = 0;
    [[nodiscard]] virtual std::optional<Source> source(const SourceKey& key) = 0;
    // Sources that expire at `now` or earlier, first the earliest.
    [[nodiscard]] virtual std::vector<SourceKey> expired_sources(Time now, int limit) = 0;

    // Chains. Which jobs wait for a chain is told after its first job was looked up; what is read
    // of other chains than those is read without locks.
    [[nodiscard]] virtual std::vector<Edge> edges_of_job(const JobId& blocked) = 0;  // in order
    [[nodiscard]] virtual std::vector<Edge> edges_to_chain(const JobId& blocker) = 0;
    [[nodiscard]] virtual std::optional<JobId> step(const StepRef& step) = 0;
    // Jobs of a chain behind its first, first the oldest.
    [[nodiscard]] virtual std::vector<JobId> steps(const JobId& chain, int limit) = 0;
    // Jobs in Place::telling.
    [[nodiscard]] virtual std::vector<JobId> telling(int limit) = 0;
    // What the chains that a job was given as blockers have come to, in order.
    [[nodiscard]] virtual std::vector<BlockerView> blocker_views(const JobId& job) = 0;
    // The chains that a chain waits for at this moment.
    [[nodiscard]] virtual std::vector<JobId> waits_of(const JobId& chain) = 0;
    // Whether no new job can have this id: one has it, or a deleted one had it and is named as a
    // blocker still.
    [[nodiscard]] virtual bool is_taken(const JobId& id) = 0;

    // The first tenant after this one (in byte order) that has ready jobs; absent: the first of
    // all.
    [[nodiscard]] virtual std::optional<std::string> ready_tenant_after(
        const std::optional<std::string>& tenant) = 0;
    // Ready jobs of a tenant and type behind `after`, in order.
    [[nodiscard]] virtual std::vector<ReadyEntry> ready(const std::string& tenant,
                                                        const std::string& type,
                                                        const std::optional<ReadyEntry>& after,
                                                        int limit) = 0;

    // The first of each line. later: by scheduledAt. running: by the end of the lease or the
    // time-out, whichever is earlier. finished (Place::done): by the end. waiting: by
    // scheduledAt.
    [[nodiscard]] virtual std::vector<TimedJob> later(int limit) = 0;
    [[nodiscard]] virtual std::vector<TimedJob> running(int limit) = 0;
    [[nodiscard]] virtual std::vector<TimedJob> finished(int limit) = 0;
    [[nodiscard]] virtual std::vector<Job> waiting(const GroupKey& key, int limit) = 0;
    // Claims that expire at `now` or earlier, first the earliest.
    [[nodiscard]] virtual std::vector<ClaimId> expired_claims(Time now, int limit) = 0;
    // Bulk runs that finished at `latest` or earlier, first the earliest.
    [[nodiscard]] virtual std::vector<Uuid> finished_bulk_runs(Time latest, int limit) = 0;
    // Lines of the decision log written on days before this one.
    [[nodiscard]] virtual std::vector<DecisionRef> decisions_before(std::int64_t day,
                                                                    int limit) = 0;
    // The first entries of the outbox but for some, if this transaction is the one that drains it.
    // Only a store that users' own transactions can write to has one.
    [[nodiscard]] virtual std::vector<OutboxEntry> outbox(
        int /*limit*/, const std::vector<std::int64_t>& /*skip*/) {
        return {};
    }
    // Results of entries that were written before `time`.
    [[nodiscard]] virtual std::vector<Uuid> outbox_results_before(Time /*time*/, int /*limit*/) {
        return {};
    }
};

}  // namespace semel
