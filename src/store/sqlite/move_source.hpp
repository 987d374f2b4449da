// An embedded store whose rows are moved to another one.
#pragma once

#include <memory>
#include <string>

#include "store/move.hpp"

namespace semel::sqlite {

// Takes the store's lock, looks at every page, and changes nothing. `busy`: a process has it open;
// `refused`: it is no store, or its schema is not this program's.
[[nodiscard]] Result<std::unique_ptr<MoveSource>> open_move_source(const std::string& path,
                                                                   const PageLimits& limits = {});

}  // namespace semel::sqlite
