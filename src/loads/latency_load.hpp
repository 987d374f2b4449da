// Measures the time from the call that schedules an action to the start of its handler, one action
// after another. Threads: one measuring thread.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

inline constexpr const char* kPingType = "semel-bench:ping";

struct LatencyLoad {
    std::string tenant = "default";
    int rounds_max = 500;
    Millis duration{5000};  // at most
};

// Opens the store with a handler of kPingType and runs until a limit of `load` is reached or
// `watch` returns false. Counts rounds, and times each one. Blocks. Errors: the store failed.
[[nodiscard]] Result<Figure> run_latency_load(const std::string& store, const LatencyLoad& load,
                                              const Watch& watch);

}  // namespace semel::loads
