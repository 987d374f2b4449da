// The memory store: rows in maps, for tests and the simulator. All rows are lost when the store is
// destroyed. Errors: none. Threads: see make_memory_store().
#pragma once

#include <functional>
#include <memory>

#include "store/store.hpp"

namespace semel {

// Makes an empty store. `clock` may stand still or go back. Store time never goes back.
//
// Threads: the engine's executor for all members, and reads answer before they return. Only one
// Committer of a store may have an open transaction.
[[nodiscard]] std::unique_ptr<Store> make_memory_store(std::function<Time()> clock);

}  // namespace semel
