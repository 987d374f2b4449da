// A rehearsal: every statement that a node will need, on rows of its own, in one transaction that
// is rolled back. A right or a column that is missing is found at the start, and not by the first
// request that needs it.
#pragma once

#include <optional>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// The file that a move fills this store from, if that is not finished.
[[nodiscard]] Result<std::optional<std::string>> unfinished_source(Connection& connection);

// That there is none: a half of a store must not be served.
[[nodiscard]] Result<void> check_whole(Connection& connection);

// Locks nothing that another node needs. `refused`: the role may not do it, or the store is being
// filled from another; `corrupt`: the schema is not the one that the migrations made. Both say what
// is missing, and what to do.
[[nodiscard]] Result<void> rehearse(Connection& connection);

}  // namespace semel::postgres
