#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::TestNode;

TEST(Dispatcher, AWaitingClaimIsWokenByTheCommitThatMakesWork) {
    TestNode t;
    const auto claimed = t.claim("a", 30s);
    t.env.settle();
    EXPECT_FALSE(claimed->has_value());
    const Job job = t.schedule(R"({"type":"a"})");
    ASSERT_TRUE(claimed->has_value());
    EXPECT_EQ((**claimed)->front().job.id, job.id);
}

TEST(Dispatcher, WithoutWorkItAnswersNothingAtItsDeadline) {
    TestNode t;
    const auto now = t.claim("a", 0s);
    const auto later = t.claim("a", 10s);
    t.env.settle();
    ASSERT_TRUE(now->has_value());
    EXPECT_TRUE((**now)->empty());
    t.env.advance(9999ms);
    EXPECT_FALSE(later->has_value());
    t.env.advance(1ms);
    ASSERT_TRUE(later->has_value());
    EXPECT_TRUE((**later)->empty());
}

TEST(Dispatcher, FirstComeFirstServedAndNobodyIsForgotten) {
    TestNode t;
    const auto first = t.claim("a", 30s);
    const auto second = t.claim("a", 30s);
    t.env.settle();
    t.schedule(R"({"type":"a"})");
    EXPECT_TRUE(first->has_value());
    EXPECT_FALSE(second->has_value());
    t.schedule(R"({"type":"a"})");
    EXPECT_TRUE(second->has_value());
}

TEST(Dispatcher, WorkThatAppearsWhileAskersAreLookingIsNotMissed) {
    TestNode t;
    const auto claimed = t.claim("a", 30s);  // its take is under way
    t.submit(R"({"type":"a"})");             // and this commits behind it
    t.env.settle();
    ASSERT_TRUE(claimed->has_value());
    EXPECT_EQ((**claimed)->size(), 1U);
}

TEST(Dispatcher, AJobThatBecomesDueWakesItsAsker) {
    TestNode t;
    t.node.start();
    const auto claimed = t.claim("a", 30s);
    t.schedule(R"({"type":"a","delayMs":2000})");
    t.env.advance(1999ms);
    EXPECT_FALSE(claimed->has_value());
    t.env.advance(1ms);
    EXPECT_TRUE(claimed->has_value());
}

TEST(Dispatcher, WaitingCostsNothing) {
    TestNode t;
    t.node.start();
    t.env.settle();
    for (int i = 0; i < 100; ++i) t.claim("a", 60s);
    t.env.settle();
    const int before = t.store.ready_queries;
    t.env.advance(59s);
    EXPECT_EQ(t.store.ready_queries, before);
}

TEST(Dispatcher, OneThatIsGoneGetsNoWork) {
    TestNode t;
    const auto gone = t.claim("a", 30s);
    t.env.settle();
    t.node.cancel_claim(1);
    ASSERT_TRUE(gone->has_value());
    const Job job = t.schedule(R"({"type":"a"})");
    EXPECT_EQ(t.get(job.id).view.job.attempts, 0);
    t.node.cancel_claim(1);  // long answered
    t.node.cancel_claim(77);
}

TEST(Dispatcher, OneThatIsGoneWhileItPollsPollsNoFurther) {
    TestNode t;
    const auto gone = t.claim("a", 30s);  // its take is under way
    t.submit(R"({"type":"a"})");          // and this commits behind it
    t.node.cancel_claim(1);
    t.env.settle();
    ASSERT_TRUE(gone->has_value());
    EXPECT_TRUE((**gone)->empty());
}

TEST(Dispatcher, WhatWasTakenForOneThatIsGoneIsGivenBack) {
    TestNode t;
    const Job job = t.schedule(R"({"type":"a"})");
    const auto gone = t.claim("a", 30s);  // its take is under way, and will find the job
    t.node.cancel_claim(1);
    t.env.settle();
    ASSERT_TRUE(gone->has_value());
    EXPECT_TRUE((**gone)->empty());
    const Job after = t.get(job.id).view.job;
    EXPECT_EQ(after.status, Status::pending);
    EXPECT_EQ(after.attempts, 0);
}

TEST(Dispatcher, ATakeThatFailsDoesNotSwallowTheWakeUpOfOthers) {
    TestNode t;
    const auto first = t.claim("a", 30s);
    const auto second = t.claim("a", 30s);
    t.env.settle();
    const auto scheduled = t.submit(R"({"type":"a"})");
    t.store.after_commit = [&] { t.store.fail_load = Error(ErrorCode::unavailable, "away"); };
    t.store.after_failed_load = [&] { t.store.fail_load.reset(); };
    t.env.settle();
    ASSERT_TRUE(first->has_value());
    EXPECT_FALSE((*first)->has_value());
    ASSERT_TRUE(second->has_value());
    EXPECT_EQ((**second)->size(), 1U);
}

TEST(Dispatcher, StopAnswersEveryone) {
    TestNode t;
    t.node.start();
    const auto claimed = t.claim("a", 60s);
    t.env.settle();
    bool stopped = false;
    t.node.stop(1s, [&] { stopped = true; });
    t.env.settle();
    EXPECT_TRUE(claimed->has_value());
    EXPECT_TRUE(stopped);
}

TEST(Dispatcher, KnowsWhetherSomebodyAsksForALane) {
    TestNode t;
    EXPECT_FALSE(t.node.has_worker({"default", "a"}));
    t.claim("a", 10s);
    EXPECT_TRUE(t.node.has_worker({"default", "a"}));
    EXPECT_FALSE(t.node.has_worker({"other", "a"}));
    t.env.advance(10min);
    EXPECT_FALSE(t.node.has_worker({"default", "a"}));
}

// Contract section 9, number 6: two overlapping runs executed all actions twice.
TEST(SeedDefects, N06_ManyAskersGetEachJobOnce) {
    TestNode t;
    std::vector<TestNode::Claimed> claims;
    claims.reserve(40);
    for (int i = 0; i < 20; ++i) claims.push_back(t.claim("a", 30s, 3));
    for (int i = 0; i < 30; ++i) t.submit(R"({"type":"a"})");
    t.env.settle();
    for (int i = 0; i < 20; ++i) claims.push_back(t.claim("a", 0s, 3));
    t.env.settle();
    std::map<JobId, int> taken;
    for (const auto& claimed : claims) {
        if (!claimed->has_value()) continue;
        for (const TakenJob& job : ***claimed) ++taken[job.job.id];
    }
    EXPECT_EQ(taken.size(), 30U);
    for (const auto& [id, times] : taken) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace semel
