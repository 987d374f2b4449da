// ChainSave: writes what only the jobs of chains have rows for, and those with ids that callers
// chose.
#pragma once

#include "core/changes.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// A write that fails is kept by the connection.
class ChainSave {
public:
    ChainSave(Connection& connection, NameTable& names, JobNumbers& numbers);

    void save(const Change<Edge>& change);
    // What goes along with a change of a job. REQUIRES: a new job has its number, and one that goes
    // has it still.
    void save(const Change<Job>& change);
    // Moves the chain where this change of its last job moves it. REQUIRES: `save` was called for
    // all jobs of the batch.
    void save_shelf(const Change<Job>& change);

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
    Statement set_shelf_;
    Statement erase_chain_;
    Statement insert_telling_;
    Statement erase_telling_;
    Statement insert_chosen_;
    Statement erase_chosen_;
};

}  // namespace semel::sqlite
