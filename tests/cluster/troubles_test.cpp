// The network and the server fail; nothing is lost, nothing happens twice.
#include "cluster/cluster.hpp"
#include "support/tcp_proxy.hpp"

namespace semel::test {
namespace {

ActionSpec keyed(int key) {
    ActionSpec action;
    action.type = "pay";
    action.payload = "{\"entityId\":" + std::to_string(key) + "}";
    action.delay = std::chrono::hours(1);
    return action;
}

std::string count_of(const std::string& url) {
    return ask_postgres(url, "select count(*) from semel.job");
}

class ClusterTroubles : public testing::Test {
protected:
    PostgresServer& server_ = PostgresServer::shared();
    std::string url_ = server_.make_database();
    TcpProxy proxy_{server_.port()};
    std::unique_ptr<Engine> node_ = open_node(proxy_.url(url_));
};

// The commit happened, and its answer was lost: it is found out, not repeated.
TEST_F(ClusterTroubles, ACommitWhoseAnswerIsLostIsFoundOut) {
    constexpr int kCuts = 30;
    node_->start();
    for (int i = 0; i < kCuts; ++i) {
        proxy_.cut_at_commit(i % 2 == 0 ? CutAt::commit_done : CutAt::commit_sent);
        const auto answer = node_->schedule(keyed(i));
        ASSERT_TRUE(answer.has_value()) << answer.error().message();
        EXPECT_EQ(answer->decision, Decision::new_);
    }
    EXPECT_EQ(proxy_.cuts(), kCuts);
    EXPECT_EQ(count_of(url_), std::to_string(kCuts));
}

TEST_F(ClusterTroubles, ACommitThatDidNotHappenIsAnErrorAndLeavesNothing) {
    node_->start();
    ASSERT_TRUE(node_->schedule(keyed(0)).has_value());
    proxy_.cut_at_commit(CutAt::before_commit);
    const auto lost = node_->schedule(keyed(1));
    ASSERT_FALSE(lost.has_value());
    EXPECT_EQ(lost.error().code(), ErrorCode::unavailable);
    EXPECT_EQ(count_of(url_), "1");
    const auto again = node_->schedule(keyed(1));
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ(again->decision, Decision::new_);
}

TEST_F(ClusterTroubles, AServerThatIsAwayIsAnErrorAndComesBack) {
    node_->start();
    ASSERT_TRUE(node_->schedule(keyed(0)).has_value());
    proxy_.refuse();
    proxy_.cut();
    const auto away = node_->schedule(keyed(1));
    ASSERT_FALSE(away.has_value());
    EXPECT_EQ(away.error().code(), ErrorCode::unavailable);
    proxy_.pass();
    const auto back = node_->schedule(keyed(1));
    ASSERT_TRUE(back.has_value()) << back.error().message();
}

TEST(ClusterRestart, ACrashOfTheServerLosesNothingThatWasAnswered) {
    PostgresServer server({.fsync = true});
    const std::string url = server.make_database();
    const auto node = open_node(url);
    node->start();
    int answered = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 20; ++i) {
            answered += node->schedule(keyed(round * 100 + i)).has_value() ? 1 : 0;
        }
        server.restart(PostgresServer::Mode::immediate);
    }
    EXPECT_EQ(answered, 3 * 20) << "a connection that is gone is replaced";
    EXPECT_EQ(count_of(url), std::to_string(answered));
}

}  // namespace
}  // namespace semel::test
