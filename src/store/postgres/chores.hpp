// Chores: periodic updates of the store. Every second it raises the time mark. Every 30 s it
// deletes old commit marks, sums up the job counts, and keeps the tables of the decision log. In a
// restored dump it also rebuilds the queues once, and commits wait for that.
//
// Errors: run() ignores them. A chore that failed is tried again after its 1 s or 30 s.
// Threads: run(): one at a time, blocks. warnings(): any.
#pragma once

#include <mutex>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class Chores {
public:
    // Does the chores that are due.
    void run(Connection& connection, Time now);

    // Missing rights that an operator must grant. Found every 30 s.
    [[nodiscard]] std::vector<StoreWarning> warnings() const;

private:
    Time marked_at_;
    Time tidied_at_;

    mutable std::mutex mutex_;
    std::vector<StoreWarning> warnings_;  // guarded by mutex_
};

}  // namespace semel::postgres
