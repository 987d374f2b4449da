// Chains on several nodes. What two of them do to one chain at once is in seed_defects_test.cpp.
#include <fmt/format.h>

#include "cluster/cluster.hpp"
#include "cluster/hosts.hpp"

namespace semel::test {
namespace {

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
