// The tables of the decision log, one per day. They are created ahead, and dropped after the log's
// retention. Deleting single rows instead would leave them to vacuum. Threads: the connection's
// thread. Blocks.
#pragma once

#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

// Creates the missing tables up to 3 days ahead and drops expired ones. Nodes can call it at the
// same time. An error, for example because a table is locked or another node was first, is ignored:
// the next call tries again. Entries of a day without a table are stored in decision_rest.
void keep_decision_days(Connection& connection, Time now);

// A warning if the role cannot create these tables, because it does not own the log.
[[nodiscard]] std::vector<StoreWarning> warnings_of_days(Connection& connection);

}  // namespace semel::postgres
