// Whether the user of a connection may do all that a commit does. A script is not undone when one
// of its commands is refused, so this is looked at before the first of them.
#pragma once

#include "store/redis/connection.hpp"

namespace semel::redis {

// Leaves nothing behind. `refused`: it names each command and key that this user may not use.
[[nodiscard]] Result<void> check_rights(Connection& connection);

}  // namespace semel::redis
