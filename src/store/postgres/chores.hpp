// Chores: periodic updates of the store that no commit waits for. It raises the time mark, deletes
// old commit marks, sums up the job counts, and keeps the tables of the decision log.
//
// Errors: see warnings(). Threads: run(): one at a time. warnings(): any.
#pragma once

#include <mutex>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class Chores {
public:
    // Does the chores that are due. An error is ignored: the next run tries again.
    void run(Connection& connection, Time now);

    // Problems that the chores cannot solve.
    [[nodiscard]] std::vector<StoreWarning> warnings() const;

private:
    Time marked_at_;
    Time tidied_at_;

    mutable std::mutex mutex_;
    std::vector<StoreWarning> warnings_;  // guarded by mutex_
};

}  // namespace semel::postgres
