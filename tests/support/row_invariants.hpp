// What holds between the rows of a store after every commit.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/batch/rows.hpp"
#include "store/store.hpp"

namespace semel::test {

struct StoredRows {
    Time now;
    std::vector<ActionView> actions;
    std::vector<LockGroup> groups;
    std::vector<Claim> claims;
    std::vector<ScheduleView> schedules;
    std::vector<BulkRun> open_bulk_runs;
    std::vector<Edge> edges;
};

// One line for each thing that does not hold.
[[nodiscard]] std::vector<std::string> broken_invariants(const StoredRows& rows);

// The same for what holds between the rows before and after some commits. `retried` are the jobs
// that an operator asked to retry in them, or to delete.
[[nodiscard]] std::vector<std::string> broken_changes(const StoredRows& before,
                                                      const StoredRows& after,
                                                      const std::set<JobId>& retried);

}  // namespace semel::test
