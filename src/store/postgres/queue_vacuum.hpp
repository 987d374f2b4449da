// QueueVacuum: removes dead rows from the queues, by vacuum or by rewriting a queue.
//
// Rows of a queue live for milliseconds, and every read of the queue steps over the dead ones. The
// server's autovacuum runs once per minute at most: by then a million rows can be dead. While any
// transaction stays open, vacuum removes none of them. But few rows of a queue are alive. Copying
// these and truncating the table takes milliseconds, and works despite old snapshots. See
// docs/decisions/0019-lines-are-renewed.md.
//
// Threads: one.
#pragma once

#include <map>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

class QueueVacuum {
public:
    // Checks the queues every second, and vacuums or rewrites those with many dead rows.
    // `held_back`: how long vacuum could not remove dead rows. A queue that cannot be rewritten is
    // tried again after a pause, which doubles up to 1 min.
    void run(Connection& connection, Millis held_back, Time now);

private:
    struct Trouble {
        Millis pause{0};
        Time until;
    };

    void vacuum(Connection& connection, Time now);
    void renew_all(Connection& connection, Time now);
    void renew(Connection& connection, const std::string& queue, Time now);

    Time next_poll_;
    Time next_vacuum_;
    std::map<std::string, Trouble> troubles_;  // queues that could not be rewritten the last time
};

}  // namespace semel::postgres
