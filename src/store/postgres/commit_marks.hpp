// Commit marks: a row that each commit writes. If the answer to a commit is lost, the mark shows
// whether the commit happened. Errors: the connection's. Threads: the connection's thread. Blocks.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Returns whether the batch with this mark has committed. Waits while the batch is running. If it
// has not, it cannot commit later: the call takes the mark, and further calls return false too.
[[nodiscard]] Result<bool> find_commit(Connection& connection, const Uuid& mark, Time now);

}  // namespace semel::postgres
