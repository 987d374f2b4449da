// One run of `semel bench`: every measure, one after another, and what is left behind.
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
    std::string store;  // empty: a temporary one for each measure
    Millis duration = std::chrono::seconds(5);
    int callers = 64;
    std::vector<int> duplicates = {0, 50, 99};  // percent, a measure each
    int jobs = 50'000;                          // of the drain
};

struct ScheduleFigure {
    int duplicates = 0;
    loads::Figure figure;
};

struct BenchReport {
    loads::Machine machine;
    StoreInfo store;
    bool is_temporary = true;
    Result<loads::Disk> disk = loads::Disk{};  // an error: a store that has no folder here
    std::vector<ScheduleFigure> schedule;
    loads::Figure drain;
    loads::Figure latency;
    std::int64_t peak_memory_bytes = 0;
    std::int64_t left = 0;  // actions of the tenant that stay in a store that was given
};

// What is being measured, and which part of the whole run is done. False: end now.
using BenchProgress = std::function<bool(std::string_view measure, double part)>;

// `stopped`: the progress said so. A temporary store is gone when this returns.
[[nodiscard]] Result<BenchReport> run_bench(const BenchOptions& options,
                                            const BenchProgress& progress);

}  // namespace semel::cli
