// Rebuilds the queues of a database that was copied row by row, for example by a dump and its
// restore. Such a copy can lack the rows of its queues (queue_vacuum.hpp), but its jobs have all
// columns that are needed to rebuild them.
//
// Errors: the connection's. Threads: the connection's thread. Blocks.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Rebuilds the queues if the database is a copy and they were not rebuilt yet. Otherwise changes
// nothing. Nodes can call it at the same time: one node rebuilds the queues for all. Commits wait
// until it ends.
[[nodiscard]] Result<void> rebuild_queues(Connection& connection);

}  // namespace semel::postgres
