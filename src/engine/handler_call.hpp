// What a handler's result says to the store.
#pragma once

#include <optional>

#include <semel/handler.hpp>

#include "core/commands.hpp"

namespace semel {

// The limits that hold for workers over HTTP hold for handlers too: a result beyond them fails the
// attempt for good.
[[nodiscard]] JobCall to_call(const TakenJob& job, HandlerResult result, const Settings& settings);

// The same for what only the store could find out about what the job was to continue with: a
// blocker that is gone, a ring. Absent: that is not why the call was refused.
[[nodiscard]] std::optional<JobCall> after_refusal(const JobCall& call, const Problem& problem);

}  // namespace semel
