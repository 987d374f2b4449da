// From the call that schedules to the start of the handler, one action at a time.
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

[[nodiscard]] Result<Figure> run_latency_load(const std::string& store, const LatencyLoad& load,
                                              const Watch& watch);

}  // namespace semel::loads
