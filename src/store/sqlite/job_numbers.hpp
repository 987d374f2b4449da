// JobNumbers: the number of a job's row. Rows that belong to a job use the same number.
//
// Errors are kept by the connection (see Connection).
// Threads: the connection's thread.
#pragma once

#include <cstdint>

#include "core/actions/job.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// The number is the first half of the job's id. If another job has that number already, the job
// gets a different one, which is stored in the table `twin`.
class JobNumbers {
public:
    explicit JobNumbers(Connection& connection);

    // Call this on the connection that writes, before the first use. Then lookups read the table
    // `twin` only if it has rows.
    void learn();

    // The number at which a job with this id would be. The row can be another job's: compare its
    // id.
    [[nodiscard]] std::int64_t of(const JobId& id);

    // A number for a job whose first choice is taken. Different at each call.
    [[nodiscard]] std::int64_t next_twin() { return next_++; }
    void remember(const JobId& id, std::int64_t number);
    void forget(const JobId& id);

private:
    Statement find_;
    Statement insert_;
    Statement erase_;
    Statement newest_;
    bool may_have_twins_ = true;
    std::int64_t next_ = 1;
};

}  // namespace semel::sqlite
