// LineRenewal: lines that are full of dead rows are written anew, where vacuum may not remove them.
//
// The rows of a line live for a moment. While somebody's transaction stays open no dead one of them
// goes away, and every look at the line steps over all of them. But a line has few rows that live:
// to copy these and empty the table takes milliseconds, and an old snapshot does not stand in the
// way of that. (It would see an empty table; nobody but Semel looks at lines.)
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

class LineRenewal {
public:
    // `held_back` is since when vacuum may not remove what dies. What fails is done the next time.
    void run(Connection& connection, Millis held_back, Time now);

private:
    Time next_look_;
};

}  // namespace semel::postgres
