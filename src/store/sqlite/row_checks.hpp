// check_rows: checks whether a file can be served as a store. It must have all tables and indexes,
// and its rows must be readable and agree with each other. For `semel doctor`, backups and
// restores.
// Threads: the connection's thread. Blocks.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// Reads every row, so the duration grows with the store. Error: `corrupt`, with the first damage
// found.
// REQUIRES: the file is a store with this schema version.
[[nodiscard]] Result<void> check_rows(Connection& connection, std::int64_t schema_version);

}  // namespace semel::sqlite
