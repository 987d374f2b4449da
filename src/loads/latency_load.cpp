#include "loads/latency_load.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>

#include "loads/sampler.hpp"

namespace semel::loads {
namespace {

using LatencyClock = Sampler::Clock;

// The time at which the handler started.
class Start {
public:
    void now() {
        const std::lock_guard lock(mutex_);
        at_ = LatencyClock::now();
        changed_.notify_one();
    }
    LatencyClock::time_point wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return at_.has_value(); });
        const auto at = *at_;
        at_.reset();
        return at;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<LatencyClock::time_point> at_;
};

}  // namespace

Result<Figure> run_latency_load(const std::string& store, const LatencyLoad& load,
                                const Watch& watch) {
    Start start;  // before the node: its handlers use it
    SEMEL_TRY(node, BenchNode::open(store));
    node->handle(kPingType, [&start] { start.now(); });
    node->start();
    ActionSpec ping{.type = kPingType, .tenant = load.tenant};
    ping.deduplication.enabled = false;
    std::vector<double> waits_ms;
    Pace pace(watch);
    const double seconds = std::chrono::duration<double>(load.duration).count();
    const Sampler sampler(node->counter());
    for (int round = 0; round < load.rounds_max && sampler.seconds() < seconds &&
                        pace.go_on(static_cast<double>(round) / load.rounds_max);
         ++round) {
        const auto began = LatencyClock::now();
        SEMEL_CHECK(node->schedule_all({ping}));
        waits_ms.push_back(std::chrono::duration<double, std::milli>(start.wait() - began).count());
    }
    node->stop();
    Figure figure = sampler.end(static_cast<std::int64_t>(waits_ms.size()));
    set_percentiles(figure, waits_ms);
    return figure;
}

}  // namespace semel::loads
