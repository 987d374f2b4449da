// Fences whose effects run in this process: their leases and their ends, in virtual time.
#include "support/fence_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::FenceNode;

constexpr const char* kHeld = R"({"key":"k"})";
constexpr const char* kShort = R"({"key":"k","leaseMs":3000})";

// A node on which one fence is held.
struct HeldNode : FenceNode {
    void end(FenceVerb verb = FenceVerb::seal) {
        FenceCall call{.verb = verb};
        call.effect_id = verb == FenceVerb::seal ? "e" : "";
        node.end_hold(hold, std::move(call),
                      [this](Result<Reply<CallFence>> reply) { ended = std::move(reply); });
        env.settle();
    }
    void stop(Millis grace) {
        node.stop(grace, [this] { is_stopped = true; });
        env.settle();
    }
    void fail() { store.fail_load = Error(ErrorCode::unavailable, "away"); }
    ClaimState state() {
        std::optional<Claim> found;
        store.reads().get_claim("default", owned.id,
                                [&](auto result) { found = std::move(*result); });
        env.settle();
        EXPECT_TRUE(found.has_value());
        return found ? found->state : ClaimState::free;
    }

    int lost = 0;
    std::optional<Result<Reply<CallFence>>> ended;
    bool is_stopped = false;
    const Claim owned = own(kShort);
    const FenceHolds::HoldId hold =
        node.hold_fence({"default", owned.id, owned.token, owned.effect->lease}, [this] { ++lost; })
            .value();
};

TEST(FenceHolds, HeartbeatsKeepTheLeaseUntilItEnds) {
    HeldNode t;
    t.env.advance(1min);
    EXPECT_EQ(t.decision(kHeld), Decision::in_flight);
    t.end();
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(test::done(**t.ended).state, ClaimState::sealed);
    t.env.advance(5s);  // the decision log is written
    const int loads = t.store.loads;
    t.env.advance(1min);
    EXPECT_EQ(t.store.loads, loads) << "nothing beats any more";
    EXPECT_EQ(t.lost, 0);
}

TEST(FenceHolds, ALostTokenIsToldOnceAndTheLastCallIsRefused) {
    HeldNode t;
    t.delete_claim(t.owned.id);
    t.env.advance(1min);
    EXPECT_EQ(t.lost, 1);
    t.end();
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(std::get<Problem>(**t.ended).code, ProblemCode::stale_token);
    EXPECT_EQ(t.lost, 1);
}

TEST(FenceHolds, ATroubleOfTheStoreIsNotTheEnd) {
    HeldNode t;
    t.fail();
    t.env.advance(1500ms);
    t.store.fail_load.reset();
    t.env.advance(1min);
    EXPECT_EQ(t.lost, 0);
    EXPECT_EQ(t.decision(kHeld), Decision::in_flight);
}

TEST(FenceHolds, ALastCallIsRepeatedUntilTheStoreIsBack) {
    HeldNode t;
    t.fail();
    t.end();
    t.env.advance(20s);
    EXPECT_FALSE(t.ended.has_value());
    t.store.fail_load.reset();
    t.env.advance(2s);
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(test::done(**t.ended).state, ClaimState::sealed);
}

TEST(FenceHolds, ALastCallWhoseCommitIsUnknownIsRepeated) {
    HeldNode t;
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "who knows");
    t.end();
    t.env.advance(1s);
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(test::done(**t.ended).effect->id, "e");
}

TEST(FenceHolds, AStoreThatStaysAwayIsGivenUp) {
    HeldNode t;
    t.fail();
    t.end();
    t.env.advance(35s);
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(t.ended->error().code(), ErrorCode::unavailable);
    t.store.fail_load.reset();
    EXPECT_EQ(t.state(), ClaimState::owned) << "it is left to its lease";
}

TEST(FenceHolds, AStopWaitsForTheEffectAndItsSeal) {
    HeldNode t;
    t.stop(10s);
    t.env.advance(9s);
    EXPECT_FALSE(t.is_stopped);
    EXPECT_EQ(t.lost, 0) << "nobody else has it: the lease is kept";
    t.end();
    EXPECT_TRUE(t.is_stopped);
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(t.state(), ClaimState::sealed);
}

TEST(FenceHolds, WhatStillRunsAfterTheGraceIsLeftToItsLease) {
    HeldNode t;
    t.stop(10s);
    t.env.advance(10s);
    EXPECT_TRUE(t.is_stopped);
    EXPECT_EQ(t.lost, 1) << "it is told to stop";
    t.end();
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(t.ended->error().code(), ErrorCode::stopped);
    EXPECT_EQ(t.state(), ClaimState::owned);
}

TEST(FenceHolds, AStopDoesNotWaitForAStoreThatIsAway) {
    HeldNode t;
    t.fail();
    t.end();
    t.stop(1s);
    t.env.advance(3s);
    EXPECT_TRUE(t.is_stopped);
    ASSERT_TRUE(t.ended.has_value());
    EXPECT_EQ(t.ended->error().code(), ErrorCode::unavailable);
}

TEST(FenceHolds, NothingIsHeldOnceAStopHasBegun) {
    FenceNode t;
    const Claim owned = t.own(kShort);
    t.node.stop(0s, [] {});
    EXPECT_FALSE(t.node.hold_fence({"default", owned.id, owned.token, owned.effect->lease}, [] {}));
    t.env.settle();
}

}  // namespace
}  // namespace semel
