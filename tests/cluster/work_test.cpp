// Work that several nodes share.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "cluster/cluster.hpp"

namespace semel::test {
namespace {

ActionSpec numbered(int number, const std::string& group) {
    ActionSpec action;
    action.type = "step";
    action.payload = std::to_string(number);
    action.lock_group = group;
    return action;
}

TEST(ClusterWork, AnActionIsHandledByOneNode) {
    constexpr int kActions = 2000;
    const std::string url = PostgresServer::shared().make_database();
    const Nodes nodes = open_nodes(url, 3);
    Record<std::pair<std::string, int>> record;
    for (int i = 0; i < 3; ++i) {
        nodes[static_cast<std::size_t>(i)]->handle("step", [&record, i](const Work& work) {
            record.add({work.payload, i});
            return done();
        });
        nodes[static_cast<std::size_t>(i)]->start();
    }
    std::vector<ActionSpec> actions;
    for (int i = 0; i < kActions; ++i) actions.push_back(numbered(i, ""));
    ASSERT_TRUE(nodes[0]->schedule_all(actions).has_value());
    const auto handled = record.wait_for(kActions);
    std::set<std::string> payloads;
    std::set<int> by;
    for (const auto& [payload, node] : handled) {
        payloads.insert(payload);
        by.insert(node);
    }
    EXPECT_EQ(handled.size(), static_cast<std::size_t>(kActions));
    EXPECT_EQ(payloads.size(), static_cast<std::size_t>(kActions));
    EXPECT_GT(by.size(), 1U) << "the others heard of nothing";
}

TEST(ClusterWork, ALockGroupHasOneRunningAndKeepsItsOrder) {
    constexpr int kActions = 300;
    const std::string url = PostgresServer::shared().make_database();
    const Nodes nodes = open_nodes(url, 3);
    std::atomic<int> running = 0;
    std::atomic<int> overlaps = 0;
    Record<int> record;
    for (const auto& node : nodes) {
        node->handle("step", [&](const Work& work) {
            if (++running > 1) ++overlaps;
            record.add(std::stoi(work.payload));
            --running;
            return done();
        });
        node->start();
    }
    std::vector<ActionSpec> actions;
    for (int i = 0; i < kActions; ++i) actions.push_back(numbered(i, "line"));
    ASSERT_TRUE(nodes[1]->schedule_all(actions).has_value());
    const auto order = record.wait_for(kActions);
    EXPECT_EQ(overlaps, 0);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(order.size(), static_cast<std::size_t>(kActions));
}

}  // namespace
}  // namespace semel::test
