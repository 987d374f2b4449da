// ChainSave: writes the tables that only chains use, and the table of ids that callers chose.
//
// Errors are kept by the connection: check Connection::outcome() after the batch.
// Threads: the writer thread. REQUIRES: a transaction is open.
#pragma once

#include "core/batch/changes.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class ChainSave {
public:
    ChainSave(Connection& connection, NameTable& names, JobNumbers& numbers);

    void save(const Change<Edge>& change);
    // Updates these tables for a change of a job. REQUIRES: a new job has its number, and a deleted
    // job still has it.
    void save(const Change<Job>& change);
    // Moves a chain to the bucket of its last job's status. REQUIRES: save() was called for all
    // jobs of the batch.
    void save_bucket(const Change<Job>& change);

private:
    void insert(const Job& job);
    void erase(const Job& job);

    NameTable& names_;
    JobNumbers& numbers_;
    Statement insert_edge_;
    Statement update_edge_;
    Statement erase_edge_;
    Statement insert_step_;
    Statement erase_step_;
    Statement insert_chain_;
    Statement set_bucket_;
    Statement erase_chain_;
    Statement insert_failing_dependants_;
    Statement erase_failing_dependants_;
    Statement insert_chosen_;
    Statement erase_chosen_;
};

}  // namespace semel::sqlite
