#include "loads/sampler.hpp"

#include <ctime>

namespace semel::loads {

double cpu_seconds_now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Sampler::Sampler(const CommitCounter& counter)
    : counter_(counter), commits_before_(counter.commits()), commands_before_(counter.commands()) {}

double Sampler::seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
}

Figure Sampler::end(std::int64_t count) const {
    const std::int64_t commits = counter_.commits() - commits_before_;
    const std::int64_t commands = counter_.commands() - commands_before_;
    Figure figure;
    figure.count = count;
    figure.seconds = seconds();
    figure.cpu_seconds = cpu_seconds_now() - cpu_began_;
    figure.commit_batch =
        commits > 0 ? static_cast<double>(commands) / static_cast<double>(commits) : 0;
    return figure;
}

bool Pace::go_on(double part) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) {
        return true;
    }
    next_ = now + std::chrono::milliseconds(100);
    return watch_(std::min(part, 1.0));
}

}  // namespace semel::loads
