// Callers that schedule actions with a key, where a part of them repeats a recent one.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// Nobody handles this type: its actions stay pending.
inline constexpr const char* kScheduleType = "semel-bench:schedule";

struct ScheduleLoad {
    std::string tenant = "default";
    std::string run = {};    // keys of two runs never meet
    int callers = 64;        // who wait at once
    int duplicates = 50;     // percent
    std::int64_t first = 0;  // keys up to here exist, and count as recent
    Millis duration{5000};
};

// The action of one key.
[[nodiscard]] ActionSpec keyed_action(const ScheduleLoad& load, std::int64_t number);

[[nodiscard]] Result<Figure> run_schedule_load(BenchNode& node, const ScheduleLoad& load,
                                               const Watch& watch);

}  // namespace semel::loads
