// LineRenewal: lines that are full of dead rows are vacuumed, and written anew where vacuum may not
// remove them.
//
// The rows of a line live for a moment, and every look at it steps over all that have died. The
// server's own vacuum comes once in a minute at most; by then that may be a million. While
// somebody's transaction stays open none of them goes away. But a line has few rows that live: to
// copy these and empty the table takes milliseconds, and an old snapshot does not stand in the way
// of that (docs/decisions/0019-lines-are-renewed.md).
#pragma once

#include <map>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

class LineRenewal {
public:
    // `held_back`: for how long vacuum could not remove what dies. What fails is tried again, less
    // and less often.
    void run(Connection& connection, Millis held_back, Time now);

private:
    struct Trouble {
        Millis pause{0};
        Time until;
    };

    void vacuum(Connection& connection, Time now);
    void renew_all(Connection& connection, Time now);
    void renew(Connection& connection, const std::string& line, Time now);

    Time next_look_;
    Time next_vacuum_;
    std::map<std::string, Trouble> troubles_;  // lines that could not be renewed the last time
};

}  // namespace semel::postgres
