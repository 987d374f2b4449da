// The tables of the decision log, one for each day: made ahead, and dropped when the log has
// forgotten them. Rows that are deleted one by one would have to be vacuumed away.
#pragma once

#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

// Several nodes may do this at once. What fails, for a lock that somebody holds or because another
// node was first, is done the next time: lines of a day without a table go to decision_rest.
void keep_decision_days(Connection& connection, Time now);

// Whether the role may do that at all: a table of a day is made by who owns the log.
[[nodiscard]] std::vector<StoreWarning> warnings_of_days(Connection& connection);

}  // namespace semel::postgres
