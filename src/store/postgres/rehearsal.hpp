// rehearse: runs every statement that a node will need, in one transaction that is rolled back. So
// a missing right or column is found when the node starts, and not by the first request that needs
// it.
//
// Threads: the connection's thread. Blocks.
#pragma once

#include <optional>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Returns the path of the source if a transfer into this store is unfinished, otherwise nullopt.
[[nodiscard]] Result<std::optional<std::string>> unfinished_source(Connection& connection);

// Returns `refused` if a transfer into this store is unfinished: a node must not serve a store with
// half of its rows.
[[nodiscard]] Result<void> check_whole(Connection& connection);

// Runs the rehearsal. It locks no row that another node needs.
// Errors: `refused` if the role lacks a right or a transfer is unfinished, `corrupt` if the schema
// is not that of the migrations. The texts name the missing part and the remedy.
[[nodiscard]] Result<void> rehearse(Connection& connection);

}  // namespace semel::postgres
