// Simulation: one run of one plan. The same plan gives the same run, hash for hash.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/invariants.hpp"
#include "sim/plan.hpp"
#include "sim/sometimes.hpp"

namespace semel::sim {

struct RunResult {
    std::uint64_t hash = 0;  // of the trace
    std::optional<Violation> violation;
    std::vector<std::string> recent;  // the trace before it
    SometimesCounts sometimes;
    int events = 0;
};

// `print_trace`: every line to stdout as it comes.
[[nodiscard]] RunResult run(const Plan& plan, bool print_trace = false);

}  // namespace semel::sim
