// Chains: how fast they start, how fast their steps are worked off, and what many blockers cost.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// Nobody handles this type: its chains stay pending.
inline constexpr const char* kStartType = "semel-bench:start";
inline constexpr const char* kStepType = "semel-bench:step";
inline constexpr const char* kJoinType = "semel-bench:join";

struct StartLoad {
    std::string tenant = "default";
    int callers = 64;  // who wait at once
    int batch = 1;     // chains in one call
    Millis duration{5000};
};

// Counts chains.
[[nodiscard]] Result<Figure> run_start_load(BenchNode& node, const StartLoad& load,
                                            const Watch& watch);

struct StepsLoad {
    std::string tenant = "default";
    int chains = 1;
    int steps = 1000;  // of each
};

// Makes the chains, opens the store with a handler that continues them, and waits until the last
// step is durable. Counts steps.
[[nodiscard]] Result<Figure> run_steps_load(const std::string& store, const StepsLoad& load,
                                            const Watch& watch);

struct FanInLoad {
    std::string tenant = "default";
    int blockers = 1000;  // at most 1 000
};

// Starts one job with the chains that it waits for, and waits until it was released and handled.
// Counts blockers.
[[nodiscard]] Result<Figure> run_fan_in_load(const std::string& store, const FanInLoad& load,
                                             const Watch& watch);

}  // namespace semel::loads
