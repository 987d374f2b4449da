// A PostgreSQL store that is filled from another store.
#pragma once

#include <memory>
#include <string>

#include "store/move.hpp"

namespace semel::postgres {

// Its schema is made by `begin`. While it is being filled, `semel serve` does not start on it, and
// a node that runs already commits nothing.
[[nodiscard]] Result<std::unique_ptr<MoveTarget>> open_move_target(const std::string& url);

}  // namespace semel::postgres
