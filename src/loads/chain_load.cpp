#include "loads/chain_load.hpp"

#include <algorithm>

#include "loads/calls.hpp"
#include "loads/handled.hpp"

namespace semel::loads {
namespace {

constexpr int kConcurrency = 256;
constexpr int kChainBatch = 1000;  // as many as one call may have

ChainRequest chain_of(std::string type, std::string input) {
    ChainRequest request;
    request.first.type = std::move(type);
    request.first.input = std::move(input);
    return request;
}

StartChains starting(const std::string& tenant, const ChainRequest& chain, int count) {
    StartChains command{.tenant = tenant, .items = {}};
    command.items.assign(static_cast<std::size_t>(count), chain);
    return command;
}

// Returns the number of started chains. A refusal is an error.
Result<std::int64_t> started_by(const Result<Reply<StartChains>>& reply) {
    if (!reply) {
        return reply.error();
    }
    const auto& items = std::get<StartChains::Outcome>(*reply);
    for (const auto& item : items) {
        if (const auto* problem = std::get_if<Problem>(&item)) {
            return Error(ErrorCode::refused, problem->detail);
        }
    }
    return static_cast<std::int64_t>(items.size());
}

// Starts the chains. The input is the number of remaining steps.
Result<void> make_chains(const std::string& store, const StepsLoad& load) {
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    const ChainRequest chain = chain_of(kStepType, std::to_string(load.steps - 1));
    for (int made = 0; made < load.chains; made += kChainBatch) {
        const int batch = std::min(kChainBatch, load.chains - made);
        SEMEL_CHECK(started_by(node->host().execute(starting(load.tenant, chain, batch))));
    }
    node->stop();
    return {};
}

HandlerFunction step_handler(Handled& handled) {
    return [&handled](const TakenJob& job, const std::stop_token&) {
        handled.one();
        const int left = std::stoi(job.payload);
        return left > 0 ? continue_with(kStepType, std::to_string(left - 1)) : done();
    };
}

void wait_for(Handled& handled, const Watch& watch) {
    Pace pace(watch);
    while (!handled.wait() && pace.go_on(handled.part())) {
    }
}

}  // namespace

Result<Figure> run_start_load(BenchNode& node, const StartLoad& load, const Watch& watch) {
    Calls calls(load.callers);
    Pace pace(watch);
    const ChainRequest chain = chain_of(kStartType, R"({"note":"hello"})");
    const double seconds = std::chrono::duration<double>(load.duration).count();
    const Sampler sampler(node.counter());
    while (sampler.seconds() < seconds && pace.go_on(sampler.seconds() / seconds)) {
        if (!calls.begin()) {
            break;
        }
        node.host().submit(starting(load.tenant, chain, load.batch),
                           [&calls, began = Sampler::Clock::now()](const auto& reply) {
                               calls.end(began, started_by(reply));
                           });
    }
    calls.wait_for_all();
    if (calls.error()) {
        return *calls.error();
    }
    Figure figure = sampler.end(calls.fresh());
    figure.fresh = calls.fresh();
    set_percentiles(figure, calls.waits_ms());
    return figure;
}

Result<Figure> run_steps_load(const std::string& store, const StepsLoad& load, const Watch& watch) {
    SEMEL_CHECK(make_chains(store, load));
    Handled handled(std::int64_t{load.chains} * load.steps);  // before the node, as below
    SEMEL_TRY(node, BenchNode::open(store, kConcurrency));
    node->host().add_handler(kStepType, HandlerOptions{}, step_handler(handled));
    const Sampler sampler(node->counter());
    node->start();
    wait_for(handled, watch);
    node->stop();
    return sampler.end(handled.count());
}

Result<Figure> run_fan_in_load(const std::string& store, const FanInLoad& load,
                               const Watch& watch) {
    Handled blockers(load.blockers);  // before the node: its handlers use them
    Handled joins(1);
    SEMEL_TRY(node, BenchNode::open(store, kConcurrency));
    node->handle(kStepType, [&blockers] { blockers.one(); });
    node->handle(kJoinType, [&joins] { joins.one(); });
    node->start();
    ChainRequest join = chain_of(kJoinType, "{}");
    const auto blocker = std::make_shared<const ChainRequest>(chain_of(kStepType, "0"));
    join.first.blockers.assign(static_cast<std::size_t>(load.blockers), blocker);
    const Sampler sampler(node->counter());
    SEMEL_CHECK(started_by(node->host().execute(starting(load.tenant, join, 1))));
    wait_for(joins, watch);
    const Figure figure = sampler.end(blockers.count());
    node->stop();
    return figure;
}

}  // namespace semel::loads
