// check_rights: checks that the connection's user has all rights that a commit needs. A script is
// not rolled back if one of its commands is refused, so the rights are checked before the first
// commit.
// Threads: the connection's thread. Blocks.
#pragma once

#include "store/redis/connection.hpp"

namespace semel::redis {

// Leaves no data behind. Error: `refused`, with each missing command and key.
[[nodiscard]] Result<void> check_rights(Connection& connection);

}  // namespace semel::redis
