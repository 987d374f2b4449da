// Measures chains: how fast they start, how fast their steps run, and what many blockers cost.
//
// Each function blocks until the load has ended, or until `watch` returns false. The Figure then
// covers the part that was done.
// Errors: the store failed, or it refused a chain. Threads: one measuring thread.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// No handler exists for this type, so its chains stay pending.
inline constexpr const char* kStartType = "semel-bench:start";
inline constexpr const char* kStepType = "semel-bench:step";
inline constexpr const char* kJoinType = "semel-bench:join";

struct StartLoad {
    std::string tenant = "default";
    int callers = 64;  // calls that run at once
    int batch = 1;     // chains in one call
    Millis duration{5000};
};

// Starts chains for `duration`. Counts the started chains, and times each call.
[[nodiscard]] Result<Figure> run_start_load(BenchNode& node, const StartLoad& load,
                                            const Watch& watch);

struct StepsLoad {
    std::string tenant = "default";
    int chains = 1;
    int steps = 1000;  // of each chain
};

// Starts the chains, then opens the store with a handler that continues them, and waits until the
// last step is durable. Counts steps, from that opening on.
[[nodiscard]] Result<Figure> run_steps_load(const std::string& store, const StepsLoad& load,
                                            const Watch& watch);

struct FanInLoad {
    std::string tenant = "default";
    int blockers = 1000;  // at most 1 000
};

// Starts one chain with its blockers, and waits until all have run and it has run too. Counts
// blockers.
[[nodiscard]] Result<Figure> run_fan_in_load(const std::string& store, const FanInLoad& load,
                                             const Watch& watch);

}  // namespace semel::loads
