// Figure: the result of one measurement, with functions that compute its percentiles. Pure.
// Threads: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace semel::loads {

struct Figure {
    std::int64_t count = 0;  // of decisions, jobs or other measured things
    double seconds = 0;
    double cpu_seconds = 0;   // of the whole process: load and engine
    double commit_batch = 0;  // commands per commit, on average
    std::int64_t fresh = 0;   // decisions that were `new`
    double p50_ms = 0;        // of one call; 0 if calls are not timed
    double p99_ms = 0;
    double p999_ms = 0;

    [[nodiscard]] double per_second() const {
        return seconds > 0 ? static_cast<double>(count) / seconds : 0;
    }
    [[nodiscard]] double cpu_seconds_per_10000() const {
        return count > 0 ? cpu_seconds * 10'000 / static_cast<double>(count) : 0;
    }
};

// Receives the part that is done, from 0 to 1, about every 100 ms, on the measuring thread. If it
// returns false the load ends.
using Watch = std::function<bool(double part)>;

// Returns the value that the given part of the values does not exceed, or 0 without values.
// Reorders `values`. `part` is 0 to 1.
[[nodiscard]] inline double percentile(std::vector<double>& values, double part) {
    if (values.empty()) {
        return 0;
    }
    const auto rank = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

// Sets the percentiles of `figure`. Reorders `waits_ms`.
inline void set_percentiles(Figure& figure, std::vector<double>& waits_ms) {
    figure.p50_ms = percentile(waits_ms, 0.50);
    figure.p99_ms = percentile(waits_ms, 0.99);
    figure.p999_ms = percentile(waits_ms, 0.999);
}

}  // namespace semel::loads
