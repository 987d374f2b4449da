// check_trees: a quick check of a store at its start. It reads the first and last rows of each
// table and index, which is some pages per table, whatever the size of the store. `pragma
// quick_check` reads every page instead. Threads: the connection's thread. Blocks.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// Error: `corrupt`, if a table or index cannot be read. Users' own tables are skipped.
[[nodiscard]] Result<void> check_trees(Connection& connection);

}  // namespace semel::sqlite
