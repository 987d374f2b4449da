// One run of a plan about the gateway: its requests, its upstream, and the nodes between them.
#pragma once

#include "sim/simulation.hpp"

namespace semel::sim {

// See run(). REQUIRES: the plan has requests of the gateway.
[[nodiscard]] RunResult run_passes(const Plan& plan, bool print_trace);

}  // namespace semel::sim
