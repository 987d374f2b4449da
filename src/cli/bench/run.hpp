// Runs `semel bench`: all its measurements, one after another. Errors and threads: see run_bench().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "loads/figure.hpp"
#include "loads/machine.hpp"
#include "store/store.hpp"

namespace semel::cli {

inline constexpr const char* kBenchTenant = "semel-bench";

struct BenchOptions {
    std::string store;  // empty: a temporary file for each measurement
    Millis duration = std::chrono::seconds(5);
    int callers = 64;
    std::vector<int> duplicates = {0, 50, 99};  // percent; one measurement each
    int jobs = 50'000;                          // jobs of the drain
};

struct ScheduleFigure {
    int duplicates = 0;
    loads::Figure figure;
};

struct BenchReport {
    loads::Machine machine;
    StoreInfo store;
    bool is_temporary = true;
    Result<loads::Disk> disk = loads::Disk{};  // an error: the store has no folder here
    std::vector<ScheduleFigure> schedule;
    loads::Figure drain;
    loads::Figure latency;
    std::int64_t peak_memory_bytes = 0;
    std::int64_t left = 0;  // actions that stay in BenchOptions::store
};

// Receives the current measurement and the done part of the whole run, 0 to 1. If it returns false,
// the run ends.
using BenchProgress = std::function<bool(std::string_view measure, double part)>;

// Runs all measurements, and blocks until they are done. A given store keeps finished actions of
// kBenchTenant and their keys; a temporary one is deleted. `progress` is called on this thread,
// about every 100 ms.
// Errors: `stopped` if `progress` returned false, otherwise those of the store.
[[nodiscard]] Result<BenchReport> run_bench(const BenchOptions& options,
                                            const BenchProgress& progress);

}  // namespace semel::cli
