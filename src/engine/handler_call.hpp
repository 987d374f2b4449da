// What a handler's result says to the store.
#pragma once

#include <semel/handler.hpp>

#include "core/commands.hpp"

namespace semel {

// The limits that hold for workers over HTTP hold for handlers too: a result beyond them fails the
// attempt for good.
[[nodiscard]] JobCall to_call(const TakenJob& job, HandlerResult result, const Settings& settings);

}  // namespace semel
