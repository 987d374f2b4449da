#include "loads/drain_load.hpp"

#include "loads/handled.hpp"
#include "loads/sampler.hpp"

namespace semel::loads {
namespace {

constexpr int kDrainBatch = 1000;  // as many as one call may have

}  // namespace

Result<void> make_noop_jobs(const std::string& store, const std::string& tenant, int jobs,
                            const Watch& watch) {
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    Pace pace(watch);
    ActionSpec action{.type = kNoopType, .tenant = tenant};
    action.deduplication.enabled = false;
    for (int made = 0; made < jobs && pace.go_on(static_cast<double>(made) / jobs);) {
        const int batch = std::min(kDrainBatch, jobs - made);
        SEMEL_CHECK(
            node->schedule_all(std::vector<ActionSpec>(static_cast<std::size_t>(batch), action)));
        made += batch;
    }
    node->stop();
    return {};
}

Result<Figure> run_drain_load(const std::string& store, const std::vector<std::string>& types,
                              std::int64_t jobs, const Watch& watch) {
    Handled handled(jobs);  // before the node: its handlers use it
    SEMEL_TRY(node, BenchNode::open(store, kDrainConcurrency));
    for (const std::string& type : types) {
        node->handle(type, [&handled] { handled.one(); });
    }
    Pace pace(watch);
    const Sampler sampler(node->counter());
    node->start();
    while (!handled.wait() && pace.go_on(handled.part())) {
    }
    node->stop();
    return sampler.end(handled.count());
}

}  // namespace semel::loads
