// The schema `semel`, and how it comes to be.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Applies what is missing. Any number of nodes may do it at once.
[[nodiscard]] Result<void> migrate(Connection& connection);

}  // namespace semel::postgres
