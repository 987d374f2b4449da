// Sampler: measures time, CPU and commits from its construction to end(). Pace: calls a Watch at
// most every 100 ms. Threads: the measuring thread.
#pragma once

#include <chrono>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// Returns the CPU seconds that all threads of this process have used. On a shared machine they
// compare better than the clock.
[[nodiscard]] double cpu_seconds_now();

class Sampler {
public:
    using Clock = std::chrono::steady_clock;

    // `counter` must outlive the sampler.
    explicit Sampler(const CommitCounter& counter);

    // Returns the seconds since the construction.
    [[nodiscard]] double seconds() const;
    // Returns the figure for `count` done things. The caller sets `fresh` and the percentiles.
    [[nodiscard]] Figure end(std::int64_t count) const;

private:
    const CommitCounter& counter_;
    const Clock::time_point began_ = Clock::now();
    const double cpu_began_ = cpu_seconds_now();
    const std::int64_t commits_before_;
    const std::int64_t commands_before_;
};

// Calls a Watch, which must outlive it, at most every 100 ms.
class Pace {
public:
    explicit Pace(const Watch& watch) : watch_(watch) {}

    // Returns false if the Watch was called and returned false: the load must end.
    [[nodiscard]] bool go_on(double part);

private:
    const Watch& watch_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace semel::loads
