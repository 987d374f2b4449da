#include "support/chain_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ChainNode;

TEST(ChainWaits, OneThatHasEndedIsAnsweredAtOnce) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    t.complete(chain, 0);
    const auto waited = t.wait(chain, 0s);
    t.env.settle();
    ASSERT_TRUE(waited->has_value());
    EXPECT_TRUE((***waited)->has_ended);
    EXPECT_EQ((***waited)->view.result.output, "1");
}

TEST(ChainWaits, TheCommitThatEndsItWakesEveryoneWhoWaits) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto first = t.wait(chain, 60s);
    const auto second = t.wait(chain, 60s);
    t.env.advance(1s);
    EXPECT_FALSE(first->has_value());
    t.complete(chain, 0);
    ASSERT_TRUE(first->has_value());
    ASSERT_TRUE(second->has_value());
    EXPECT_EQ((***first)->view.last.status, Status::completed);
}

TEST(ChainWaits, TheEndOfAStepThatGoesOnIsNotTheEnd) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto waited = t.wait(chain, 60s);
    t.complete(chain, 0, "b");
    EXPECT_FALSE(waited->has_value());
    t.complete(chain, 1);
    ASSERT_TRUE(waited->has_value());
    EXPECT_TRUE((***waited)->has_ended);
    EXPECT_EQ((***waited)->view.last.chain_index, 1);
}

TEST(ChainWaits, AnEndWhileItPollsIsNotMissed) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto waited = t.wait(chain, 60s);  // has polled, and was not told yet
    t.complete(chain, 0);
    ASSERT_TRUE(waited->has_value());
    EXPECT_TRUE((***waited)->has_ended);
}

TEST(ChainWaits, ACancelledChainHasEnded) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto waited = t.wait(chain, 60s);
    t.cancel(chain);
    ASSERT_TRUE(waited->has_value());
    EXPECT_TRUE((***waited)->has_ended);
    EXPECT_EQ((***waited)->view.last.status, Status::cancelled);
}

TEST(ChainWaits, PastItsDeadlineItTellsHowThingsAre) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto waited = t.wait(chain, 10s);
    t.complete(chain, 0, "b");
    t.env.advance(9999ms);
    EXPECT_FALSE(waited->has_value());
    t.env.advance(1ms);
    ASSERT_TRUE(waited->has_value());
    EXPECT_FALSE((***waited)->has_ended);
    EXPECT_EQ((***waited)->view.last.chain_index, 1) << "as it is now";
}

TEST(ChainWaits, WhatDoesNotExistIsNotWaitedFor) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto nowhere = t.wait(*Uuid::parse("0192f0c1-2b7e-7000-8000-000000000001"), 60s);
    const auto elsewhere = t.wait(chain, 60s, "other");
    t.env.settle();
    ASSERT_TRUE(nowhere->has_value());
    EXPECT_FALSE((**nowhere)->has_value());
    ASSERT_TRUE(elsewhere->has_value());
    EXPECT_FALSE((**elsewhere)->has_value()) << "tenants never meet";
}

TEST(ChainWaits, OneThatIsGoneIsForgotten) {
    ChainNode t;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto polling = t.wait(chain, 60s);
    t.node.cancel_wait(t.last_wait);
    const auto parked = t.wait(chain, 60s);
    t.env.settle();
    t.node.cancel_wait(t.last_wait);
    for (const auto& gone : {polling, parked}) {
        ASSERT_TRUE(gone->has_value());
        EXPECT_EQ((*gone)->error().code(), ErrorCode::stopped);
    }
    t.node.cancel_wait(t.last_wait);
    t.node.cancel_wait(77);
    t.complete(chain, 0);
    t.env.advance(2min);
}

TEST(ChainWaits, AStopAnswersEveryone) {
    ChainNode t;
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto waited = t.wait(chain, 60s);
    t.env.settle();
    t.node.stop(0s, [] {});
    ASSERT_TRUE(waited->has_value());
    EXPECT_EQ((*waited)->error().code(), ErrorCode::stopped);
    const auto late = t.wait(chain, 60s);
    ASSERT_TRUE(late->has_value());
    EXPECT_EQ((*late)->error().code(), ErrorCode::stopped);
    t.env.settle();
}

// Two nodes of one store, of which each hears of the other's commits by a hint alone.
TEST(ChainWaits, TheEndAtAnotherNodeIsSeenWhenTheStoreSaysLook) {
    ChainNode t;
    Node other(t.env, t.store, {});
    std::optional<Result<std::optional<AwaitedChain>>> waited;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    other.wait_for_chain("default", chain, 60s, [&](auto outcome) { waited = outcome; });
    t.env.settle();
    t.complete(chain, 0);
    other.start();
    ASSERT_TRUE(t.store.poll);
    ASSERT_TRUE(t.store.poll_ends);
    t.env.advance(500ms);
    t.store.poll();
    t.env.advance(500ms);
    EXPECT_FALSE(waited.has_value()) << "there is work: that is no reason";
    t.store.poll_ends();
    t.env.advance(1ms);
    ASSERT_TRUE(waited.has_value());
    EXPECT_TRUE((**waited)->has_ended);
    other.stop(0s, [] {});
    EXPECT_FALSE(t.store.poll_ends);
    t.env.settle();
}

TEST(ChainWaits, AnEndElsewhereThatNobodyHintedAtIsSeenWithinSeconds) {
    ChainNode t;
    Node other(t.env, t.store, {});
    other.start();
    std::optional<Result<std::optional<AwaitedChain>>> waited;
    const JobId chain = t.start_chain(R"({"type":"a"})");
    other.wait_for_chain("default", chain, 60s, [&](auto outcome) { waited = outcome; });
    t.env.settle();
    t.complete(chain, 0);
    t.store.poll();
    t.env.advance(1999ms);
    EXPECT_FALSE(waited.has_value());
    t.env.advance(1ms);
    ASSERT_TRUE(waited.has_value());
    EXPECT_TRUE((**waited)->has_ended);
    other.stop(0s, [] {});
    t.env.settle();
}

TEST(ChainWaits, EveryoneIsPolledForByOneRead) {
    ChainNode t;
    t.node.start();
    std::vector<test::Waited> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(t.wait(t.start_chain(R"({"type":"a"})"), 60s));
    }
    t.env.settle();
    const int before = t.store.reads_asked;
    t.env.advance(10s);
    EXPECT_EQ(t.store.reads_asked, before) << "nothing happened";
    t.store.poll_ends();
    t.store.poll_ends();
    t.env.advance(100ms);
    EXPECT_EQ(t.store.reads_asked, before + 1);
    t.node.stop(0s, [] {});
    t.env.settle();
}

TEST(FailDependants, WhoWaitsForAChainThatFailedIsFailedAtOnceAndSoAreThoseBehind) {
    ChainNode t;
    t.node.start();
    const JobId first = t.start_chain(R"({"type":"a"})");
    const JobId second =
        t.start_chain(R"({"type":"b","blockers":[")" + first.to_string() + R"("]})");
    const JobId third =
        t.start_chain(R"({"type":"c","blockers":[")" + second.to_string() + R"("]})");
    EXPECT_EQ(t.get(third).view.job.status, Status::blocked);
    const auto waited = t.wait(third, 60s);
    t.cancel(first);
    ASSERT_TRUE(waited->has_value());
    EXPECT_EQ((***waited)->view.last.status, Status::failed);
    EXPECT_EQ(t.get(second).view.result.error_code, "blocker_failed");
}

TEST(FailDependants, DependantsThatADeadNodeLeftAreFailedAtTheStart) {
    ChainNode t;  // not started: its upkeep does nothing
    const JobId first = t.start_chain(R"({"type":"a"})");
    const JobId second =
        t.start_chain(R"({"type":"b","blockers":[")" + first.to_string() + R"("]})");
    t.cancel(first);
    EXPECT_EQ(t.get(second).view.job.status, Status::blocked);
    t.node.start();
    t.env.settle();
    EXPECT_EQ(t.get(second).view.job.status, Status::failed);
}

TEST(FailDependants, ItGoesOnWhenTheStoreComesBack) {
    ChainNode t;
    const JobId first = t.start_chain(R"({"type":"a"})");
    const JobId second =
        t.start_chain(R"({"type":"b","blockers":[")" + first.to_string() + R"("]})");
    t.cancel(first);
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.node.start();
    t.env.advance(1s);
    t.store.fail_load.reset();
    t.env.advance(1s);
    EXPECT_EQ(t.get(second).view.job.status, Status::failed);
}

}  // namespace
}  // namespace semel
