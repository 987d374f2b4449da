// What follows what: the jobs of chains, as clients ask for them and workers go on with them.
#pragma once

#include "core/commands.hpp"
#include "sim/context.hpp"

namespace semel::sim {

// Somebody has heard of a chain.
void see_chain(Context& context, const std::string& tenant, const JobId& chain);
// One of them, counted from the newest; nothing where there is none.
[[nodiscard]] std::optional<JobId> seen_chain(const Context& context, const std::string& tenant,
                                              int target);

// Finds out which chains are meant by what they are to wait for, and by what they exclude. What
// names a chain that nobody has heard of is left out.
void resolve(const Context& context, const std::string& tenant, StepPlan& step);
void resolve(const Context& context, const std::string& tenant, ChainPlan& chain);

// A job without blockers.
[[nodiscard]] StepPlan any_step(Random& random, const ChainHabits& habits, int number);

// What the worker of a job goes on with, if it does.
[[nodiscard]] std::optional<StepPlan> next_step(Context& context, const TakenJob& job);

// As a request has it.
[[nodiscard]] Continuation continuation_of(const StepPlan& step, const std::string& tenant,
                                           const Settings& settings);

}  // namespace semel::sim
