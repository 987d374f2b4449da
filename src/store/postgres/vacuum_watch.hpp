// VacuumWatch: who keeps vacuum from removing dead rows. The rows of a queue live for a moment; one
// transaction that stays open lets their dead versions pile up, and every look at the queue has to
// step over them.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class VacuumWatch {
public:
    // What has lasted for less than `patience` is not warned of.
    explicit VacuumWatch(Millis patience = std::chrono::seconds(60)) : patience_(patience) {}

    // Looks where it is time for that; on one thread. What fails is done the next time.
    void look(Connection& connection, Time now);

    // For how long somebody at this server has held it back already, by the last look: no standby,
    // whose queries a lock here would end. On the thread that looks.
    [[nodiscard]] Millis held_back() const { return held_back_; }

    // From any thread.
    [[nodiscard]] std::vector<StoreWarning> warnings() const;

private:
    const Millis patience_;
    // Of the thread that looks.
    Time next_look_;
    std::map<std::string, Time> first_seen_;  // of those that hold it back now
    Millis held_back_{0};

    mutable std::mutex mutex_;
    std::vector<StoreWarning> warnings_;  // guarded by mutex_
};

}  // namespace semel::postgres
