// Chains on several nodes. What two of them do to one chain at once is in seed_defects_test.cpp.
#include <array>
#include <latch>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "cluster/cluster.hpp"
#include "cluster/hosts.hpp"

namespace semel::test {
namespace {

TEST(ClusterChains, StepsAreWorkedOnByEveryNodeEachOnce) {
    constexpr std::size_t kNodes = 2;
    constexpr std::size_t kChains = 30;
    constexpr int kSteps = 4;
    Record<std::pair<JobId, int>> steps;  // outlives the nodes, whose handlers write to it
    std::latch all_work(kNodes);          // until then each node holds back what it has taken
    std::array<std::once_flag, kNodes> began;
    NodeOptions options;
    options.concurrency = 4;
    Hosts hosts(PostgresServer::shared().make_database(), kNodes, options);
    for (std::size_t node = 0; node < kNodes; ++node) {
        hosts[node].add_handler("step", {}, [&, node](const TakenJob& job, const std::stop_token&) {
            std::call_once(began.at(node), [&] { all_work.arrive_and_wait(); });
            steps.add({job.job.chain, job.job.chain_index});
            return job.job.chain_index + 1 < kSteps ? continue_with("step") : done();
        });
    }
    hosts.start();
    start_chains(hosts[0], std::vector<std::string>(kChains, R"({"type":"step"})"));
    (void)steps.wait_for(kChains * kSteps);
    hosts.stop();  // whatever was done twice is done by now
    const auto all = steps.wait_for(kChains * kSteps);
    EXPECT_EQ(all.size(), kChains * kSteps);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), kChains * kSteps);
}

// As long as a line of chains is that wait for one another: a continuation looks for a circle in
// it.
TEST(ClusterChains, ALongLineOfWaitsIsSearchedForACircle) {
    constexpr int kLength = 150;
    const std::string url = PostgresServer::shared().make_database();
    Hosts hosts(url, 2);
    hosts.start();
    const JobId first = start_chain(hosts[0], R"({"type":"t"})").chain.first.id;
    JobId last = first;
    for (int i = 0; i < kLength; ++i) {
        last = start_chain(hosts[0],
                           fmt::format(R"({{"type":"t","blockers":["{}"]}})", last.to_string()))
                   .chain.first.id;
    }
    const auto follow =
        json::Document::parse(fmt::format(R"({{"type":"t","blockers":["{}"]}})", last.to_string()));
    auto continuation = read_continuation(follow->root(), "default", Settings{}, "");
    const auto reply =
        hosts[1].execute(CompleteChain{.tenant = "default",
                                       .chain = first,
                                       .continue_with = std::get<Continuation>(continuation)});
    ASSERT_TRUE(reply.has_value()) << reply.error().message();
    ASSERT_TRUE(std::holds_alternative<Problem>(*reply));
    EXPECT_EQ(std::get<Problem>(*reply).code, ProblemCode::cycle);
}

}  // namespace
}  // namespace semel::test
