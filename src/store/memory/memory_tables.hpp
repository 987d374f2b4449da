// MemoryTables: the rows of the memory store, with the same queues and orders that a database has
// in its indexes. The members have the meaning of RowSource.
//
// Errors: see apply(). Threads: one at a time.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "core/batch/changes.hpp"
#include "store/ladder/row_source.hpp"
#include "store/store.hpp"

namespace semel::memory {

// An entry of the decision log, with the day on which it was written.
struct LogEntry {
    std::int64_t day = 0;
    DecisionEntry entry;
};

// The body of a kept answer.
struct Response {
    Time expires_at;
    std::shared_ptr<const std::string> body;
};

class MemoryTables final : public RowSource {
public:
    // Applies all changes or none. Error: an inserted row exists, or a changed row does not. `now`:
    // the time at which the rows were loaded.
    [[nodiscard]] Result<void> apply(const Changes& changes, Time now);

    [[nodiscard]] std::optional<Claim> claim(const ClaimId& id) override;
    [[nodiscard]] std::optional<Content> content(const ClaimId& claim) override;
    [[nodiscard]] std::optional<Source> source(const SourceKey& key) override;
    [[nodiscard]] std::vector<SourceKey> expired_sources(Time now, int limit) override;
    [[nodiscard]] std::optional<FoundJob> job(const JobId& id, bool with_body) override;
    [[nodiscard]] std::optional<JobBody> body(const JobId& id) override;
    [[nodiscard]] std::optional<JobResult> result(const JobId& id) override;
    [[nodiscard]] std::optional<LockGroup> group(const GroupKey& key) override;
    [[nodiscard]] std::optional<Schedule> schedule(const ScheduleKey& key) override;
    [[nodiscard]] std::optional<BulkRun> bulk_run(const Uuid& id) override;
    [[nodiscard]] std::optional<ApiToken> api_token(const Uuid& id) override;
    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) override;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) override;
    [[nodiscard]] std::optional<JobId> step(const StepRef& step) override;
    [[nodiscard]] std::vector<JobId> steps(const JobId& chain, int limit) override;
    [[nodiscard]] std::vector<JobId> failing_dependants(int limit) override;
    [[nodiscard]] std::vector<BlockerView> blocker_views(const JobId& job) override;
    // Returns the same views without outputs.
    [[nodiscard]] std::vector<BlockerView> shown_blockers(const JobId& job);
    [[nodiscard]] std::vector<JobId> waits_of(const JobId& chain) override;
    [[nodiscard]] bool is_taken(const JobId& id) override {
        return jobs_.contains(id) || !edges_to_chain(id).empty() || !steps(id, 1).empty();
    }
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
    [[nodiscard]] std::vector<Uuid> expired_responses(Time now, int limit) override;
    [[nodiscard]] std::vector<Uuid> finished_bulk_runs(Time latest, int limit) override;
    [[nodiscard]] std::vector<DecisionRef> decisions_before(std::int64_t day, int limit) override;

    // Rows for MemoryReads.
    [[nodiscard]] std::vector<Claim> uncertain_claims(const UncertainQuery& query) const;
    [[nodiscard]] std::vector<SpaceCount> uncertain_counts() const;
    [[nodiscard]] std::optional<std::string> response(const Uuid& id) const;
    [[nodiscard]] const std::map<JobId, Job>& jobs() const { return jobs_; }
    [[nodiscard]] const std::map<ClaimId, Claim>& claims() const { return claims_; }
    [[nodiscard]] const std::map<Uuid, ApiToken>& api_tokens() const { return api_tokens_; }
    [[nodiscard]] const std::map<ScheduleKey, Schedule>& schedules() const { return schedules_; }
    [[nodiscard]] const std::map<Uuid, BulkRun>& bulk_runs() const { return bulk_runs_; }
    [[nodiscard]] const std::map<std::int64_t, LogEntry>& decisions() const { return decisions_; }
    [[nodiscard]] std::vector<Attempt> history(const JobId& id) const;
    // Whether a job has this slot of its schedule. REQUIRES: the occurrence has a slot.
    [[nodiscard]] bool has_slot(const Occurrence& occurrence) const {
        return slots_.contains({occurrence.schedule, *occurrence.slot});
    }

private:
    [[nodiscard]] Result<void> check(const Changes& changes) const;
    [[nodiscard]] bool are_slots_free(const Changes& changes) const;
    [[nodiscard]] bool are_steps_free(const Changes& changes) const;
    [[nodiscard]] const Job* last_of(const JobId& chain) const;
    void apply_claims(const Changes& changes);
    void apply_entry(const Change<Claim>& change);
    void apply_response(const ResponseChange& change);
    void apply_edges(const std::vector<Change<Edge>>& changes);
    void put_job(const Job& job);
    void erase_job(const JobId& id);
    [[nodiscard]] int order_of(const std::string& tenant) const;  // 0: the tenant never had jobs
    // Adds a job to the queue of its place, or removes it.
    void enter_queue(const Job& job);
    void leave_queue(const Job& job);

    std::map<ClaimId, Claim> claims_;
    std::map<ClaimId, Content> contents_;
    std::map<Uuid, Response> responses_;
    std::map<SourceKey, Source> sources_;
    std::map<JobId, Job> jobs_;
    std::map<JobId, JobBody> bodies_;
    std::map<JobId, JobResult> results_;
    std::map<std::pair<JobId, Token>, Attempt> attempts_;
    std::map<GroupKey, LockGroup> groups_;
    std::map<ScheduleKey, Schedule> schedules_;
    std::map<EdgeKey, Edge> edges_;
    std::set<std::pair<JobId, EdgeKey>> edges_to_chain_;
    std::map<std::pair<JobId, int>, JobId> steps_;  // except the first of each chain
    std::set<JobId> failing_dependants_;
    std::set<std::pair<Uuid, Time>> slots_;  // of each schedule, if a job has it
    std::map<Uuid, BulkRun> bulk_runs_;
    std::map<Uuid, ApiToken> api_tokens_;
    std::map<std::int64_t, LogEntry> decisions_;  // by sequence
    std::int64_t last_decision_ = 0;

    std::map<std::string, int> tenant_order_;
    std::map<int, std::string> tenants_;
    using Lane = std::pair<int, std::string>;     // tenant, by its order, and type
    std::map<Lane, std::set<ReadyEntry>> ready_;  // no lane is empty
    std::set<TimedJob> later_;
    std::set<TimedJob> running_;
    std::set<TimedJob> finished_;
    std::map<GroupKey, std::set<TimedJob>> waiting_;
    std::set<std::pair<Time, ClaimId>> expiring_;
    std::map<std::string, std::set<ClaimPosition>> uncertain_;  // by tenant
};

}  // namespace semel::memory
