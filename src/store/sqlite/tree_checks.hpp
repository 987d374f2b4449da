// Whether a store can be read at all: the beginning and the end of each table and index. It costs
// some pages each, however large the store is; every page is `pragma quick_check`'s business.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// `corrupt`, in words, where one cannot be read. A user's own tables are not looked at.
[[nodiscard]] Result<void> check_trees(Connection& connection);

}  // namespace semel::sqlite
