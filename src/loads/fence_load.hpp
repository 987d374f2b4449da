// Fences: how fast keys are claimed and sealed, and how fast those who come later get the receipt.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// Its keys have numbers; a key is sealed with a small receipt.
struct FenceLoad {
    std::string tenant = "default";
    std::string run = {};    // keys of two runs never meet
    int callers = 64;        // who wait at once
    std::int64_t first = 0;  // keys up to here are sealed
    Millis duration{5000};
};

// Claims keys behind `first` and seals each of them. Counts pairs; a pair is timed as one.
[[nodiscard]] Result<Figure> run_pair_load(BenchNode& node, const FenceLoad& load,
                                           const Watch& watch);

struct ReplayLoad {
    FenceLoad fences = {};      // `first` is at least 1
    std::int64_t recent = 100;  // so many of the last keys are asked for again
};

// Asks for keys that are sealed; each caller is a thread, as the library's are. Counts receipts,
// and times none.
[[nodiscard]] Result<Figure> run_replay_load(BenchNode& node, const ReplayLoad& load,
                                             const Watch& watch);

// Seals every key behind `first`, up to `last`.
[[nodiscard]] Result<Figure> seal_keys(BenchNode& node, const FenceLoad& load, std::int64_t last,
                                       const Watch& watch);

}  // namespace semel::loads
