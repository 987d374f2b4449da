// JobNumbers: by which number a job's row, and what goes with it, is found.
#pragma once

#include <cstdint>

#include "core/job.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// The first half of the job's id; but where another job that begins alike came first, a number that
// is remembered (table `twin`).
class JobNumbers {
public:
    explicit JobNumbers(Connection& connection);

    // Called by the one connection that writes: then it knows whether there are twins at all, and
    // looks nothing up where there are none.
    void learn();

    // Where a job with this id stands, if there is one: who asks compares the id.
    [[nodiscard]] std::int64_t of(const JobId& id);

    // A number that is likely to be free, for a job whose own is not. Never the same twice.
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
