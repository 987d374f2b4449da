// A quick check of a store at its start: the first and last rows of each table and index. It reads
// some pages per table, whatever the size of the store. `pragma quick_check` reads every page
// instead.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// Error: `corrupt`, if a table or index cannot be read. Users' own tables are skipped.
[[nodiscard]] Result<void> check_trees(Connection& connection);

}  // namespace semel::sqlite
