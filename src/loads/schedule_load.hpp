// Measures how fast callers schedule actions with a key, if a part of the calls repeats one of the
// last 1 000 keys. Threads: one measuring thread.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// No handler exists for this type, so its actions stay pending.
inline constexpr const char* kScheduleType = "semel-bench:schedule";

struct ScheduleLoad {
    std::string tenant = "default";
    std::string run = {};    // part of every key; another run needs another value
    int callers = 64;        // calls that run at once
    int duplicates = 50;     // percent of the calls
    std::int64_t first = 0;  // the keys up to this number exist, and are repeated too
    Millis duration{5000};
};

// Returns the action for the key with this number.
[[nodiscard]] ActionSpec keyed_action(const ScheduleLoad& load, std::int64_t number);

// Schedules for `duration`, or until `watch` returns false. Counts decisions, and times each call.
// Blocks. Errors: the store failed, or it refused an action.
[[nodiscard]] Result<Figure> run_schedule_load(BenchNode& node, const ScheduleLoad& load,
                                               const Watch& watch);

}  // namespace semel::loads
