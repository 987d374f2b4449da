// Shrinking: a smaller plan that breaks the same invariant.
#pragma once

#include "sim/invariants.hpp"
#include "sim/plan.hpp"

namespace semel::sim {

// Drops faults, workers, requests and items, one by one and in halves, while the plan still
// breaks `invariant`.
// REQUIRES: it does.
[[nodiscard]] Plan shrink(Plan plan, Invariant invariant);

}  // namespace semel::sim
