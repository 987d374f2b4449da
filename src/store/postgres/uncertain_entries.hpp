// Writes the entries of the list of uncertain claims (core/keys/uncertain_claims.hpp). ReadQueries
// reads them.
//
// Errors: the connection's. Threads: the connection's thread.
#pragma once

#include "core/batch/changes.hpp"
#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Queues the statements that bring the entries up to date after these changes. Queues nothing if no
// claim becomes uncertain or ends that. The load has locked the claims, so these wait for no lock.
// REQUIRES: a transaction is open.
void queue_uncertain_entries(Connection& connection, const std::vector<Change<Claim>>& changes);

// Makes the entries of all claims, which have none. For the migration that adds them. Reads every
// claim. REQUIRES: a transaction is open.
[[nodiscard]] Result<void> make_uncertain_entries(Connection& connection);

}  // namespace semel::postgres
