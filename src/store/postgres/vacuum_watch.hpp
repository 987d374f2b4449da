// VacuumWatch: finds the transactions that keep vacuum from removing dead rows. While one stays
// open, dead rows of the queues pile up, and every read of a queue steps over them.
//
// Errors: none; see inspect(). Threads: inspect() and held_back(): one at a time. warnings(): any.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class VacuumWatch {
public:
    // `patience`: a transaction causes a warning after this time.
    explicit VacuumWatch(Millis patience = std::chrono::seconds(60)) : patience_(patience) {}

    // Checks the server if 5 s have passed since the last check. An error is ignored: the next
    // check tries again.
    void inspect(Connection& connection, Time now);

    // Returns how long a session or prepared transaction of this database has held back vacuum, by
    // the last check. Standbys do not count, because a lock here would end their queries.
    [[nodiscard]] Millis held_back() const { return held_back_; }

    // Returns at most 5 warnings, the oldest transaction first.
    [[nodiscard]] std::vector<StoreWarning> warnings() const;

private:
    const Millis patience_;
    // Used only on the thread of inspect().
    Time next_poll_;
    std::map<std::string, Time> first_seen_;  // of the transactions that hold back vacuum now
    Millis held_back_{0};

    mutable std::mutex mutex_;
    std::vector<StoreWarning> warnings_;  // guarded by mutex_
};

}  // namespace semel::postgres
