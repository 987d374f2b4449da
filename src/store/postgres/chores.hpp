// Chores: the small books of a store, kept beside the commits and not in them.
#pragma once

#include <mutex>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class Chores {
public:
    // Does what is due by now. What fails is done the next time.
    void run(Connection& connection, Time now);

    // What it could not do, and will not. From any thread.
    [[nodiscard]] std::vector<StoreWarning> warnings() const;

private:
    Time marked_at_;
    Time tidied_at_;

    mutable std::mutex mutex_;
    std::vector<StoreWarning> warnings_;  // guarded by mutex_
};

}  // namespace semel::postgres
