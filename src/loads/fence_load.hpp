// Measures fences: how fast keys are claimed and sealed, and how fast a repeat receives the
// receipt.
//
// Each function blocks until the load has ended, or until `watch` returns false. The Figure then
// covers the part that was done.
// Errors: the store failed, or a key was in the wrong state. Threads: one measuring thread.
#pragma once

#include <string>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// The keys are numbered from 1. Each is sealed with a small receipt.
struct FenceLoad {
    std::string tenant = "default";
    std::string run = {};    // part of every key; another run needs another value
    int callers = 64;        // calls that run at once
    std::int64_t first = 0;  // the keys up to this number are sealed already
    Millis duration{5000};
};

// Claims and seals the keys after `first`, for `duration`. Counts pairs of claim and seal, and
// times each pair.
[[nodiscard]] Result<Figure> run_pair_load(BenchNode& node, const FenceLoad& load,
                                           const Watch& watch);

struct ReplayLoad {
    FenceLoad fences = {};      // REQUIRES: `first` is at least 1
    std::int64_t recent = 100;  // the range of the keys to claim, back from `first`
};

// Claims sealed keys again, for `duration`. Each caller is a thread, as callers of the library are.
// Counts receipts, and times no calls.
[[nodiscard]] Result<Figure> run_replay_load(BenchNode& node, const ReplayLoad& load,
                                             const Watch& watch);

// Seals the keys after `first` up to `last`. Ignores `duration`. Counts keys.
[[nodiscard]] Result<Figure> seal_keys(BenchNode& node, const FenceLoad& load, std::int64_t last,
                                       const Watch& watch);

}  // namespace semel::loads
