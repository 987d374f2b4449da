// SqliteRows: implements RowSource for SQLite with prepared statements.
//
// Errors: a lookup that fails returns "absent", and the connection keeps the error. The caller must
// check Connection::outcome() after the climb.
// Threads: the connection's thread. REQUIRES: a transaction is open.
#pragma once

#include "store/ladder/row_source.hpp"
#include "store/sqlite/claim_table.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class SqliteRows final : public RowSource {
public:
    // Without `claims`, do not call the members for claims.
    SqliteRows(Connection& connection, NameTable& names, JobNumbers& numbers,
               ClaimTable* claims = nullptr);

    [[nodiscard]] std::optional<Claim> claim(const ClaimId& id) override;
    [[nodiscard]] std::optional<FoundJob> job(const JobId& id, bool with_body) override;
    [[nodiscard]] std::optional<JobBody> body(const JobId& id) override;
    [[nodiscard]] std::optional<JobResult> result(const JobId& id) override;
    [[nodiscard]] std::optional<LockGroup> group(const GroupKey& key) override;
    [[nodiscard]] std::optional<Schedule> schedule(const ScheduleKey& key) override;
    [[nodiscard]] std::optional<BulkRun> bulk_run(const Uuid& id) override;
    [[nodiscard]] std::optional<ApiToken> api_token(const Uuid& id) override;

    [[nodiscard]] std::optional<Content> content(const ClaimId& claim) override;
    [[nodiscard]] std::optional<Source> source(const SourceKey& key) override;
    [[nodiscard]] std::vector<SourceKey> expired_sources(Time now, int limit) override;

    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) override;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) override;
    [[nodiscard]] std::optional<JobId> step(const StepRef& step) override;
    [[nodiscard]] std::vector<JobId> steps(const JobId& chain, int limit) override;
    [[nodiscard]] std::vector<JobId> failing_dependants(int limit) override;
    [[nodiscard]] std::vector<BlockerView> blocker_views(const JobId& job) override;
    // Returns the same views without outputs.
    [[nodiscard]] std::vector<BlockerView> shown_blockers(const JobId& job);
    [[nodiscard]] std::vector<JobId> waits_of(const JobId& chain) override;
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
    [[nodiscard]] std::vector<Uuid> expired_responses(Time now, int limit) override;
    [[nodiscard]] std::vector<DecisionRef> decisions_before(std::int64_t day, int limit) override;

private:
    [[nodiscard]] std::optional<JobBody> read_body(Cursor& cursor, const JobId& id);
    [[nodiscard]] std::optional<Job> last_of(const Job& first);
    // Calls `add` with each blocker and the last job of its chain, or null if its rows are deleted.
    template <typename Add>
    void each_blocker(const JobId& id, Add&& add);

    // Binds the number and the id of a job.
    Cursor& find(Cursor& cursor, const JobId& id) {
        return cursor.integer(numbers_.of(id)).key(id);
    }

    NameTable& names_;
    JobNumbers& numbers_;
    ClaimTable* const claims_;
    Statement job_;
    Statement payload_;
    Statement large_payload_;
    Statement result_;
    Statement group_;
    Statement schedule_;
    Statement bulk_run_;
    Statement api_token_;
    Statement source_;
    Statement expired_sources_;
    Statement edges_of_job_;
    Statement edges_to_chain_;
    Statement step_;
    Statement steps_;
    Statement failing_dependants_;
    Statement taken_;
    Statement ready_tenant_;
    Statement ready_;
    Statement ready_after_;
    Statement later_;
    Statement running_;
    Statement finished_;
    Statement waiting_;
    Statement finished_bulk_runs_;
    Statement expired_responses_;
    Statement decisions_before_;
};

}  // namespace semel::sqlite
