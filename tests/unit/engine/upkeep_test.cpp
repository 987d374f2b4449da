#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::TestNode;

TEST(Upkeep, ACrashedWorkersJobIsTakenOverWhenItsLeaseEnds) {
    TestNode t;
    t.node.start();
    t.schedule(R"({"type":"a"})");
    const auto crashed = t.claim("a", 0s);
    t.env.settle();
    const auto next = t.claim("a", 60s);
    t.env.advance(15s - 1ms);
    EXPECT_FALSE(next->has_value());
    t.env.advance(1ms);
    ASSERT_TRUE(next->has_value());
    EXPECT_EQ((**next)->front().job.attempts, 2);
    EXPECT_GT((**next)->front().job.token, (**crashed)->front().job.token);
}

TEST(Upkeep, AHeartbeatMovesTheRescue) {
    TestNode t;
    t.node.start();
    t.schedule(R"({"type":"a"})");
    const auto claimed = t.claim("a", 0s);
    t.env.settle();
    const TakenJob job = (**claimed)->front();
    for (int i = 0; i < 10; ++i) {
        t.env.advance(10s);
        JobCall beat{.id = job.job.id, .token = job.job.token, .verb = Verb::heartbeat};
        beat.lease = 15s;
        EXPECT_TRUE(std::holds_alternative<JobAnswer>(t.settle(beat)));
    }
    EXPECT_EQ(t.get(job.job.id).view.job.status, Status::running);
    t.env.advance(15s);
    EXPECT_EQ(t.get(job.job.id).view.job.status, Status::pending);
}

TEST(Upkeep, LeasesOfAnEarlierProcessAreFoundAtTheStart) {
    TestNode t;
    const Job job = t.schedule(R"({"type":"a"})");
    t.claim("a", 0s);
    t.env.settle();
    t.env.advance(1h);  // nobody looks: the node has not started
    EXPECT_EQ(t.get(job.id).view.job.status, Status::running);
    t.node.start();
    t.env.settle();
    EXPECT_EQ(t.get(job.id).view.job.status, Status::pending);
}

TEST(Upkeep, AnIdleNodeIsQuiet) {
    TestNode t;
    t.node.start();
    t.env.advance(30s);
    const int before = t.store.loads;
    t.env.advance(10min);
    EXPECT_LE(t.store.loads - before, 70) << "pruning reads seven tables once a minute";
}

TEST(Upkeep, ItGoesOnWhenTheStoreComesBack) {
    TestNode t;
    t.node.start();
    const Job job = t.schedule(R"({"type":"a","delayMs":1000})");
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.env.advance(5s);
    EXPECT_EQ(t.get(job.id).view.job.place, Place::later);
    t.store.fail_load.reset();
    t.env.advance(1s);
    EXPECT_EQ(t.get(job.id).view.job.place, Place::ready);
}

TEST(Upkeep, FinishedJobsAndTheirKeysArePrunedInTheirTime) {
    TestNode t;
    t.node.start();
    const Job job = t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    const auto claimed = t.claim("a", 0s);
    t.env.settle();
    t.settle({.id = job.id, .token = (**claimed)->front().job.token});
    t.env.skip(24h * 7);
    t.env.advance(2min);
    EXPECT_TRUE(t.jobs().empty());
    const std::string same =
        R"({"type":"a","payload":{"entityId":1},
            "deduplication":{"scope":"any","windowSeconds":2592000}})";
    EXPECT_EQ(t.schedule(same).id, job.id) << "the key outlives the job";
    t.env.skip(24h * 23 - 2min);
    t.env.advance(2min);
    EXPECT_NE(t.schedule(same).id, job.id);
}

}  // namespace
}  // namespace semel
