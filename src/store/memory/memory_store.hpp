// The memory store: rows in maps, for tests and the simulator. Nothing outlives it.
#pragma once

#include <functional>
#include <memory>

#include "store/store.hpp"

namespace semel {

// Single-threaded: everything is called on the engine's executor, and reads answer at once. `clock`
// may stand still or go back; store time does not go back. The committers of one store take turns:
// one transaction at a time.
[[nodiscard]] std::unique_ptr<Store> make_memory_store(std::function<Time()> clock);

}  // namespace semel
