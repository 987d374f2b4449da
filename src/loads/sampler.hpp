// Sampler: the clocks of one measure, from its making to its end.
#pragma once

#include <chrono>

#include "loads/bench_node.hpp"
#include "loads/figure.hpp"

namespace semel::loads {

// Of all threads of this process. On a machine that others use it says more than the clock.
[[nodiscard]] double cpu_seconds_now();

class Sampler {
public:
    using Clock = std::chrono::steady_clock;

    explicit Sampler(const CommitCounter& counter);

    [[nodiscard]] double seconds() const;
    // `count` of them are done; percentiles and the rest are for the caller.
    [[nodiscard]] Figure end(std::int64_t count) const;

private:
    const CommitCounter& counter_;
    const Clock::time_point began_ = Clock::now();
    const double cpu_began_ = cpu_seconds_now();
    const std::int64_t commits_before_;
    const std::int64_t commands_before_;
};

// Keeps a Watch at its pace, however often it is asked.
class Pace {
public:
    explicit Pace(const Watch& watch) : watch_(watch) {}

    // False: enough.
    [[nodiscard]] bool go_on(double part);

private:
    const Watch& watch_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace semel::loads
