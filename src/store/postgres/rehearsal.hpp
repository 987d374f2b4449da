// Runs every statement that a node will need, in one transaction that is rolled back. So a missing
// right or column is found when the node starts, and not by the first request that needs it.
//
// Threads: the connection's thread. Blocks.
#pragma once

#include <optional>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Returns the path of the store that an unfinished transfer fills this store from. nullopt: none.
[[nodiscard]] Result<std::optional<std::string>> unfinished_source(Connection& connection);

// Fails with `refused` if there is such a transfer: a store with half of its rows must not be
// served.
[[nodiscard]] Result<void> check_whole(Connection& connection);

// Runs the rehearsal. It locks no row that another node needs.
// Errors: `refused` if the role lacks a right or a transfer is unfinished, `corrupt` if the schema
// is not that of the migrations. The texts name the missing part and the remedy.
[[nodiscard]] Result<void> rehearse(Connection& connection);

}  // namespace semel::postgres
