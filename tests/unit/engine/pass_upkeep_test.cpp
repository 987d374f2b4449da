// Passes whose owner is silent: what upkeep writes about them, and when.
#include "support/pass_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Asked;
using test::kBoth;
using test::PassNode;

struct Silent : PassNode {
    // Of the stored row, whoever reads it.
    std::optional<ClaimState> stored(const std::shared_ptr<const Claim>& claim) {
        const auto found = find(claim->id);
        return found ? std::optional(found->state) : std::nullopt;
    }
    // Lets time pass as at a node that other nodes share the store with.
    void share(Millis time) {
        for (; time > 0ms; time -= 500ms) {
            env.advance(500ms);
            store.poll();
        }
        env.settle();
    }
};

TEST(PassUpkeep, TheDoubtOfASilentOwnerIsWrittenWithinTwoSeconds) {
    Silent t;
    t.node.start();
    t.env.settle();
    const PassAnswer pass = t.send(kBoth);
    t.env.advance(kPassLease - 1ms);
    EXPECT_EQ(t.stored(pass.key), ClaimState::owned);
    t.env.advance(2s);
    // A reader sees the doubt without it: the row must say so.
    EXPECT_FALSE(t.find(pass.key->id)->expires_at) << "it does not expire";
    EXPECT_EQ(t.decisions().front().entry.decision, Decision::uncertain);
    EXPECT_EQ(t.decisions().front().entry.rule, "lease_over");
}

TEST(PassUpkeep, ASilenceAfterHeartbeatsIsSeenToo) {
    Silent t;
    t.node.start();
    t.env.settle();
    const PassAnswer pass = t.send(kBoth);
    for (int i = 0; i < 3; ++i) {
        t.env.advance(5s);
        t.beat(pass);
    }
    t.env.advance(kPassLease - 1ms);
    EXPECT_EQ(t.decisions().front().entry.decision, Decision::new_);
    t.env.advance(2s);
    EXPECT_EQ(t.decisions().front().entry.decision, Decision::uncertain);
}

TEST(PassUpkeep, WhatWasNotSentIsDeleted) {
    Silent t;
    t.node.start();
    t.env.settle();
    const PassAnswer pass = t.own(kBoth);
    t.env.advance(kPassLease + 2s);
    EXPECT_FALSE(t.stored(pass.key));
    EXPECT_FALSE(t.stored(pass.guard));
}

TEST(PassUpkeep, TheSilenceOfAnotherNodeIsSeen) {
    Silent t;
    t.store.shared = true;
    Node other(t.env, t.store, {});
    other.start();
    t.env.settle();
    t.send(kBoth);  // at a node that does no upkeep from then on
    t.share(kPassLease + 2s);
    EXPECT_EQ(t.decisions().front().entry.decision, Decision::uncertain);
    other.stop(0s, [] {});
    t.env.settle();
}

TEST(PassUpkeep, ItFollowsWhenTheStoreIsBack) {
    Silent t;
    t.node.start();
    t.env.settle();
    t.send(kBoth);
    t.fail();
    t.env.advance(kPassLease + 10s);
    t.store.fail_load.reset();
    t.env.advance(1s);
    EXPECT_EQ(t.decisions().front().entry.decision, Decision::uncertain);
}

TEST(PassUpkeep, WithoutALeaseItIsQuiet) {
    Silent t;
    t.node.start();
    t.env.settle();
    t.settle(t.send(kBoth), PassEnd::seal);
    t.env.advance(30s);
    const int loads = t.store.loads;
    t.env.advance(29s);
    EXPECT_EQ(t.store.loads, loads);
}

// ---- the start ----------------------------------------------------------------------------------

TEST(PassUpkeep, LeasesOfAnEarlierProcessAreOverAtTheStart) {
    Silent t;
    const PassAnswer sent = t.send(kBoth);
    const PassAnswer held = t.own({.key = "other"});
    const PassAnswer sealed = t.send({.key = "sealed"});
    t.settle(sealed, PassEnd::seal);
    t.node.start();
    t.env.settle();
    EXPECT_EQ(t.state(sent.key), PassState::uncertain);
    EXPECT_EQ(t.state(sent.guard), PassState::uncertain);
    EXPECT_EQ(t.state(held.key), PassState::nothing);
    EXPECT_EQ(t.state(sealed.key), PassState::sealed);
    EXPECT_EQ(t.own({.key = "other"}).decision, Decision::new_);
}

TEST(PassUpkeep, OnASharedStoreTheyMayBeAnotherNodes) {
    Silent t;
    t.store.shared = true;
    const PassAnswer sent = t.send(kBoth);
    t.node.start();
    t.env.settle();
    EXPECT_EQ(t.state(sent.key), PassState::sent);
}

TEST(PassUpkeep, AStartWithoutTheStoreLeavesThemToTheirLeases) {
    Silent t;
    const PassAnswer sent = t.send(kBoth);
    t.fail();
    t.node.start();
    t.env.settle();
    t.store.fail_load.reset();
    t.env.advance(1s);
    EXPECT_EQ(t.state(sent.key), PassState::sent);
    t.env.advance(kPassLease + 2s);
    EXPECT_EQ(t.state(sent.key), PassState::uncertain);
}

}  // namespace
}  // namespace semel
