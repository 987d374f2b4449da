// Figure: what one measure found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace semel::loads {

struct Figure {
    std::int64_t count = 0;  // decisions or jobs
    double seconds = 0;
    double cpu_seconds = 0;   // of this process: load and engine together
    double commit_batch = 0;  // commands in a commit, on average
    std::int64_t fresh = 0;   // decisions that were `new`
    double p50_ms = 0;        // of one call; 0 where calls are not timed
    double p99_ms = 0;
    double p999_ms = 0;

    [[nodiscard]] double per_second() const {
        return seconds > 0 ? static_cast<double>(count) / seconds : 0;
    }
    [[nodiscard]] double cpu_seconds_per_10000() const {
        return count > 0 ? cpu_seconds * 10'000 / static_cast<double>(count) : 0;
    }
};

// Called ten times a second or so, on the thread that measures, with the part that is done, from 0
// to 1. False: enough, end now.
using Watch = std::function<bool(double part)>;

// The value that `part` of the values are not above; 0 of none.
[[nodiscard]] inline double percentile(std::vector<double>& values, double part) {
    if (values.empty()) {
        return 0;
    }
    const auto rank = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

inline void set_percentiles(Figure& figure, std::vector<double>& waits_ms) {
    figure.p50_ms = percentile(waits_ms, 0.50);
    figure.p99_ms = percentile(waits_ms, 0.99);
    figure.p999_ms = percentile(waits_ms, 0.999);
}

}  // namespace semel::loads
