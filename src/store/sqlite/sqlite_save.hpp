// SqliteSave: writes the changes of a batch, and touches only tables and columns that change.
//
// Errors are kept by the connection: check Connection::outcome() after the batch.
// Threads: the writer thread.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/batch/changes.hpp"
#include "store/sqlite/chain_save.hpp"
#include "store/sqlite/claim_table.hpp"
#include "store/sqlite/job_codec.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/response_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class SqliteSave {
public:
    // `decisions`: the last number in the decision log.
    SqliteSave(Connection& connection, NameTable& names, JobNumbers& numbers, ClaimTable& claims,
               std::int64_t decisions);

    // Writes all changes. REQUIRES: a transaction is open. `now`: the time at which its rows were
    // loaded.
    void save(const Changes& changes, Time now);
    // Raises the stored time mark (no stored time is later) and counts a commit.
    void save_mark(Time now);

private:
    // Saves new and changed jobs. New jobs get their numbers, which the other tables need.
    void save_jobs(const Changes& changes);
    void save_job(const Change<Job>& change, const JobBody* body);
    void erase_jobs(const Changes& changes);
    void insert_job(const Job& job, const JobBody* body);
    // Returns the number of the job's row.
    [[nodiscard]] std::int64_t insert_row(const JobId& id, const JobColumns& columns);
    // Returns false if the number is another job's.
    [[nodiscard]] bool insert_at(std::int64_t number, const JobId& id, const JobColumns& columns);
    // Returns true if the row with this number is this job's.
    [[nodiscard]] bool stands_at(std::int64_t number, const JobId& id);
    void update_job(const Job& before, const Job& after, const JobBody* body);
    void replace_body(const JobId& id, const JobBody& body);
    void erase_job(const JobId& id);
    void check_rules(const Job& job);
    // Stores a payload that is too large for the job's row.
    void put_large_payload(std::int64_t number, const JobBody* body);
    void save_result(const JobId& id, const std::optional<JobResult>& result);
    void save_source(const Change<Source>& change);
    void save_group(const Change<LockGroup>& change);
    void save_schedule(const Change<Schedule>& change);
    void save_bulk_run(const Change<BulkRun>& change);
    void save_api_token(const Change<ApiToken>& change);
    void append(const Attempt& attempt);
    void append(const DecisionEntry& entry, Time now);
    void erase(const DecisionRef& ref);

    void count(const Job& job, int by);
    void save_counts();

    [[nodiscard]] Statement& update_statement(const JobMask& mask);

    Connection& connection_;
    NameTable& names_;
    JobNumbers& numbers_;
    ClaimTable& claims_;
    Statement insert_job_;
    Statement stands_at_;
    Statement replace_payload_;
    Statement erase_job_;
    Statement put_large_payload_;
    Statement erase_large_payload_;
    Statement put_result_;
    Statement erase_result_;
    Statement erase_attempts_;
    Statement insert_attempt_;
    Statement insert_decision_;
    Statement erase_decision_;
    ChainSave chains_;
    ResponseTable responses_;
    Statement insert_source_;
    Statement update_source_;
    Statement erase_source_;
    Statement insert_group_;
    Statement update_group_;
    Statement erase_group_;
    Statement insert_schedule_;
    Statement update_schedule_;
    Statement erase_schedule_;
    Statement insert_bulk_run_;
    Statement update_bulk_run_;
    Statement erase_bulk_run_;
    Statement insert_api_token_;
    Statement erase_api_token_;
    Statement add_count_;
    Statement raise_mark_;

    std::unordered_map<JobMask, std::unique_ptr<Statement>> update_job_;  // prepared when needed
    std::int64_t decisions_;
    std::map<std::pair<std::string, Status>, int> counts_;  // of the current batch
};

}  // namespace semel::sqlite
