// The network and the server fail; nothing is lost, nothing happens twice.
#include <future>
#include <thread>

#include "cluster/cluster.hpp"
#include "support/planted.hpp"
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
    // One line of commits, so that a cut meets the one that is meant.
    std::unique_ptr<Engine> node_ = open_node(proxy_.url(url_) + "?committers=1");
};

// The commit happened, and its answer was lost: it is found out, not repeated.
TEST_F(ClusterTroubles, ACommitWhoseAnswerIsLostIsFoundOut) {
    const int cuts = times_of("SEMEL_COMMIT_CUTS", 30);
    node_->start();
    for (int i = 0; i < cuts; ++i) {
        proxy_.cut_at_commit(i % 2 == 0 ? CutAt::commit_done : CutAt::commit_sent);
        auto answer = node_->schedule(keyed(i));
        if (!answer && i % 2 == 1) {
            // Who polled for it was there before the server had begun with it.
            EXPECT_EQ(answer.error().code(), ErrorCode::unavailable);
            EXPECT_EQ(count_of(url_), std::to_string(i)) << "it was told that nothing was done";
            answer = node_->schedule(keyed(i));
        }
        ASSERT_TRUE(answer.has_value()) << answer.error().message();
        EXPECT_EQ(answer->decision, Decision::new_);
    }
    EXPECT_EQ(proxy_.cuts(), cuts);
    EXPECT_EQ(count_of(url_), std::to_string(cuts));
    std::cout << "commit cuts " << cuts << " actions " << count_of(url_) << "\n";
}

#ifdef SEMEL_BUGGED
// Who does not find out and makes the commit again makes some of them twice.
TEST(ClusterTroublesControl, ACommitThatIsMadeAgainBlindlyIsSeen) {
    const Planted planted(Mutation::unknown_commit_retried);
    const std::string url = PostgresServer::shared().make_database();
    TcpProxy proxy(PostgresServer::shared().port());
    const auto node = open_node(proxy.url(url) + "?committers=1");
    node->start();
    ActionSpec action = keyed(1);
    action.payload = "{}";  // nothing to find a duplicate by
    proxy.cut_at_commit(CutAt::commit_done);
    ASSERT_TRUE(node->schedule(action).has_value());
    EXPECT_EQ(count_of(url), "2");
}
#endif

// A commit is not unknown because the server needs a moment: it is asked until it is back.
TEST_F(ClusterTroubles, ACommitIsFoundOutWhenTheServerIsBack) {
    node_->start();
    ASSERT_TRUE(node_->schedule(keyed(0)).has_value());
    std::promise<Result<ScheduleAnswer>> promised;
    proxy_.cut_at_commit(CutAt::commit_done);
    const int before = proxy_.connections();
    proxy_.refuse();
    node_->schedule_async(
        keyed(1), [&](Result<ScheduleAnswer> answer) { promised.set_value(std::move(answer)); });
    auto answer = promised.get_future();
    while (proxy_.cuts() == 0) std::this_thread::yield();
    EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(0)), std::future_status::timeout);
    EXPECT_EQ(proxy_.connections(), before);
    proxy_.pass();
    const auto found = answer.get();
    ASSERT_TRUE(found.has_value()) << found.error().message();
    EXPECT_EQ(found->decision, Decision::new_);
    EXPECT_EQ(count_of(url_), "2");
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
