// Turns a handler's result into the call that ends its attempt. Pure. Threads: any.
#pragma once

#include <optional>

#include <semel/handler.hpp>

#include "core/commands.hpp"

namespace semel {

// Returns the call for this result. A result over the limits of the HTTP API fails the attempt
// without further retries: an output over 1 MiB, or a next step that the API would refuse. An error
// text is cut at 64 KiB.
[[nodiscard]] JobCall to_call(const TakenJob& job, HandlerResult result, const Settings& settings);

// Returns the continuation for a next step of this tenant, or the Problem that refuses it.
[[nodiscard]] Item<Continuation> read_next(const std::string& tenant, const NextStep& next,
                                           const Settings& settings);
// Returns the result that fails the attempt because its next step was refused, without retries.
[[nodiscard]] HandlerResult refused_step(const Problem& problem);

// Returns the call that fails the attempt after the store refused its next step: a blocker is
// deleted, or blockers form a ring. Returns nullopt if the call was refused for another reason.
[[nodiscard]] std::optional<JobCall> after_refusal(const JobCall& call, const Problem& problem);

}  // namespace semel
