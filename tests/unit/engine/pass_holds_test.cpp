// Requests of the gateway that this process owns: their leases, their sending and their ends, in
// virtual time.
#include <vector>

#include <fmt/format.h>

#include "support/pass_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Asked;
using test::kBoth;
using test::PassNode;

const Asked kSent{.key = "k1", .guard = "hello", .dispatched = true};

PassEnding ending(PassEnd end) {
    PassEnding ending{.key = end, .guard = end, .reason = "cut"};
    if (end == PassEnd::seal) {
        ending.body = std::make_shared<const std::string>("sent");
        KeptAnswer& answer = ending.answer.emplace();
        answer.size = 4;
        answer.has_body = true;
    }
    return ending;
}

// A node that owns one pass.
struct HeldPass : PassNode {
    explicit HeldPass(const Asked& asked = kBoth)
        : pass(own(asked)),
          hold(node.hold_pass(pass, [this](PassLoss loss) { lost.push_back(loss); }).value()) {}

    void dispatch() {
        node.dispatch_pass(hold, [this](auto reply) { dispatched = std::move(reply); });
    }
    void settle(PassEnd end) {
        node.settle_pass(hold, ending(end), [this](auto reply) { settled = std::move(reply); });
    }
    void stop(Millis grace) {
        node.stop(grace, [this] { is_stopped = true; });
        env.settle();
    }
    // Of both claims, which must agree.
    PassState state() {
        const PassState key = PassNode::state(pass.key);
        EXPECT_EQ(PassNode::state(pass.guard), key);
        return key;
    }
    void erase_key() { erase(*pass.key); }

    const PassAnswer pass;
    std::vector<PassLoss> lost;
    std::optional<Result<Reply<DispatchPass>>> dispatched;
    std::optional<Result<Reply<SettlePass>>> settled;
    bool is_stopped = false;
    const PassHolds::HoldId hold;
};

SettledPass answer_of(const std::optional<Result<Reply<SettlePass>>>& settled) {
    EXPECT_TRUE(settled && *settled);
    return settled && *settled ? std::get<SettledPass>(**settled) : SettledPass{};
}

// ---- leases -------------------------------------------------------------------------------------

TEST(PassHolds, HeartbeatsKeepBothClaimsUntilTheEnd) {
    HeldPass t(kSent);
    t.env.advance(1min);
    EXPECT_EQ(t.state(), PassState::sent);
    t.settle(PassEnd::seal);
    t.env.settle();
    EXPECT_EQ(t.state(), PassState::sealed);
    EXPECT_FALSE(answer_of(t.settled).is_key_stale);
    t.env.advance(5s);
    const int loads = t.store.loads;
    t.env.advance(1min);
    EXPECT_EQ(t.store.loads, loads) << "no heartbeat follows";
    EXPECT_TRUE(t.lost.empty());
}

TEST(PassHolds, AShortPassHasNoHeartbeat) {
    HeldPass t;
    const int loads = t.store.loads;
    t.env.advance(5s - 1ms);
    EXPECT_EQ(t.store.loads, loads);
    t.env.advance(1ms);
    EXPECT_EQ(t.store.loads, loads + 1);
}

TEST(PassHolds, OneCommandBeatsFiveHundredClaims) {
    PassNode t;
    std::vector<PassAnswer> passes;
    for (int i = 0; i < 300; ++i) {
        passes.push_back(t.own({.key = fmt::format("k{}", i), .guard = fmt::format("g{}", i)}));
        ASSERT_TRUE(t.node.hold_pass(passes.back(), [](PassLoss) { ADD_FAILURE(); }));
        t.env.advance(1ms);
    }
    t.env.advance(4s);  // the decision log is written
    std::vector<std::size_t> sizes;
    t.store.before_save = [&](const Changes& changes) {
        sizes.push_back(changes.claims.size());
        return Result<void>();
    };
    t.env.advance(5s);
    EXPECT_EQ(sizes, (std::vector<std::size_t>{500, 100}));
    t.env.advance(1min);
    for (const PassAnswer& pass : passes) EXPECT_EQ(t.state(pass.key), PassState::held);
}

TEST(PassHolds, ALostClaimIsToldOnceAndTheOtherIsKept) {
    HeldPass t(kSent);
    t.erase_key();
    t.env.advance(1min);
    EXPECT_EQ(t.lost, std::vector{PassLoss::taken});
    EXPECT_EQ(t.PassNode::state(t.pass.guard), PassState::sent);
    t.settle(PassEnd::seal);
    t.env.settle();
    EXPECT_TRUE(answer_of(t.settled).is_key_stale);
    EXPECT_FALSE(answer_of(t.settled).is_guard_stale);
    EXPECT_EQ(t.PassNode::state(t.pass.guard), PassState::sealed);
}

TEST(PassHolds, ATroubleOfTheStoreIsNotTheEnd) {
    HeldPass t(kSent);
    t.fail();
    t.env.advance(8s);
    t.store.fail_load.reset();
    t.env.advance(1min);
    EXPECT_TRUE(t.lost.empty());
    EXPECT_EQ(t.state(), PassState::sent);
}

// ---- sending ------------------------------------------------------------------------------------

TEST(PassHolds, ItIsDispatchedAndRenewed) {
    HeldPass t;
    t.env.advance(4s);
    t.dispatch();
    t.env.settle();
    ASSERT_TRUE(t.dispatched && *t.dispatched);
    const auto sent = std::get<Dispatched>(**t.dispatched);
    EXPECT_EQ(sent.lease_until, t.store.now() + kPassLease);
    EXPECT_EQ(t.state(), PassState::sent);
}

TEST(PassHolds, WithoutOneOfItsClaimsNothingIsSent) {
    HeldPass t;
    t.erase_key();
    t.dispatch();
    t.env.settle();
    ASSERT_TRUE(t.dispatched && *t.dispatched);
    EXPECT_EQ(std::get<Problem>(**t.dispatched).code, ProblemCode::stale_token);
    t.settle(PassEnd::release);
    t.env.settle();
    EXPECT_EQ(t.PassNode::state(t.pass.guard), PassState::nothing);
}

TEST(PassHolds, ADispatchIsTriedForASecond) {
    for (const bool comes_back : {true, false}) {
        HeldPass t;
        t.fail();
        t.dispatch();
        t.env.advance(600ms);
        EXPECT_FALSE(t.dispatched.has_value());
        if (comes_back) t.store.fail_load.reset();
        t.env.advance(1s);
        ASSERT_TRUE(t.dispatched.has_value());
        EXPECT_EQ(t.dispatched->has_value(), comes_back);
    }
}

TEST(PassHolds, ADispatchOfUnknownFateIsTriedAgainAndThePassCanStillBeReleased) {
    HeldPass t;
    t.lose_commit();
    t.dispatch();
    t.env.advance(200ms);
    ASSERT_TRUE(t.dispatched && *t.dispatched);
    EXPECT_TRUE(std::holds_alternative<Dispatched>(**t.dispatched));
    t.settle(PassEnd::release);
    t.env.settle();
    EXPECT_EQ(t.state(), PassState::nothing);
}

TEST(PassHolds, ADispatchWhoseTriesFailAfterAnUnknownOneMayHaveLanded) {
    HeldPass t;
    t.lose_commit();
    t.store.before_commit = [&] { t.fail(); };
    t.dispatch();
    t.env.advance(3s);
    ASSERT_TRUE(t.dispatched.has_value());
    EXPECT_EQ(t.dispatched->error().code(), ErrorCode::commit_unknown);
}

// ---- ends ---------------------------------------------------------------------------------------

TEST(PassHolds, ALastCallIsRepeatedUntilTheStoreIsBack) {
    HeldPass t(kSent);
    t.fail();
    t.settle(PassEnd::seal);
    t.env.advance(20s);
    t.store.fail_load.reset();
    t.env.advance(2s);
    EXPECT_EQ(t.state(), PassState::sealed) << "late, and nobody has taken over";
}

TEST(PassHolds, TheCallerOfALastCallWaitsForFiveSeconds) {
    HeldPass t(kSent);
    t.fail();
    t.settle(PassEnd::seal);
    t.env.advance(kSettleWait - 1ms);
    EXPECT_FALSE(t.settled.has_value());
    t.env.advance(1ms);
    ASSERT_TRUE(t.settled.has_value());
    EXPECT_EQ(t.settled->error().code(), ErrorCode::timeout);
    t.settled.reset();
    t.store.fail_load.reset();
    t.env.advance(2s);
    EXPECT_EQ(t.state(), PassState::sealed);
    EXPECT_FALSE(t.settled.has_value()) << "answered once";
}

TEST(PassHolds, ACallerIsAnsweredAsSoonAsTheStoreIsBack) {
    HeldPass t(kSent);
    t.fail();
    t.settle(PassEnd::seal);
    t.env.advance(1s);
    t.store.fail_load.reset();
    t.env.advance(2s);
    EXPECT_FALSE(answer_of(t.settled).is_key_stale);
    t.settled.reset();
    t.env.advance(kSettleWait);
    EXPECT_FALSE(t.settled.has_value());
}

TEST(PassHolds, ALastCallOfUnknownFateIsRepeatedWithTheSameAnswer) {
    for (const PassEnd end : {PassEnd::seal, PassEnd::release, PassEnd::doubt}) {
        HeldPass t(kSent);
        t.lose_commit();
        t.settle(end);
        t.env.advance(1s);
        EXPECT_FALSE(answer_of(t.settled).is_key_stale);
        EXPECT_FALSE(answer_of(t.settled).is_guard_stale);
    }
}

TEST(PassHolds, AStoreThatStaysAwayIsGivenUpAfterThirtySeconds) {
    HeldPass t(kSent);
    t.fail();
    t.settle(PassEnd::seal);
    t.env.advance(33s);
    t.store.fail_load.reset();
    t.env.advance(5s);
    EXPECT_EQ(t.state(), PassState::uncertain);
}

TEST(PassHolds, APassEndsOnce) {
    HeldPass t(kSent);
    t.settle(PassEnd::seal);
    t.env.settle();
    t.settle(PassEnd::doubt);
    ASSERT_TRUE(t.settled.has_value());
    EXPECT_EQ(t.settled->error().code(), ErrorCode::stopped);
    t.dispatch();
    ASSERT_TRUE(t.dispatched.has_value());
    EXPECT_EQ(t.dispatched->error().code(), ErrorCode::stopped);
    t.env.settle();
    EXPECT_EQ(t.state(), PassState::sealed);
}

// ---- stopping -----------------------------------------------------------------------------------

TEST(PassHolds, AStopReleasesWhatIsNotSent) {
    HeldPass t;
    t.stop(10s);
    EXPECT_TRUE(t.is_stopped);
    EXPECT_EQ(t.lost, std::vector{PassLoss::stopped});
    EXPECT_EQ(t.state(), PassState::nothing);
    EXPECT_FALSE(t.node.hold_pass(t.pass, [](PassLoss) {}));
}

TEST(PassHolds, AStopReleasesWhatIsJustBeingDispatched) {
    HeldPass t;
    t.dispatch();
    t.stop(10s);
    EXPECT_TRUE(t.is_stopped);
    ASSERT_TRUE(t.dispatched.has_value());
    EXPECT_EQ(t.dispatched->error().code(), ErrorCode::stopped) << "it must not be sent";
    EXPECT_EQ(t.state(), PassState::nothing);
}

TEST(PassHolds, AStopWaitsForTheAnswerAndItsSeal) {
    HeldPass t(kSent);
    t.stop(20s);
    t.env.advance(19s);
    EXPECT_FALSE(t.is_stopped);
    EXPECT_TRUE(t.lost.empty());
    t.settle(PassEnd::seal);
    t.env.settle();
    EXPECT_TRUE(t.is_stopped);
    EXPECT_EQ(t.state(), PassState::sealed);
}

TEST(PassHolds, WhatIsSentAndUnansweredAtTheEndOfTheGraceIsDoubted) {
    HeldPass t(kSent);
    t.stop(5s);
    t.env.advance(5s);
    EXPECT_TRUE(t.is_stopped);
    EXPECT_EQ(t.lost, std::vector{PassLoss::stopped});
    EXPECT_EQ(t.find(t.pass.key->id)->state, ClaimState::uncertain);
    EXPECT_EQ(t.find(t.pass.guard->id)->state, ClaimState::uncertain);
    EXPECT_EQ(t.decisions().front().entry.reason, "stopped");
    t.settle(PassEnd::seal);
    ASSERT_TRUE(t.settled.has_value());
    EXPECT_EQ(t.settled->error().code(), ErrorCode::stopped);
}

TEST(PassHolds, ARetryThatIsNotSentIsDoubtedByAStop) {
    PassNode t;
    t.settle(t.send(kBoth), PassEnd::doubt);
    Asked retry = kBoth;
    retry.retries = true;
    const PassAnswer pass = t.own(retry);
    ASSERT_TRUE(t.node.hold_pass(pass, [](PassLoss) {}));
    t.node.stop(1s, [] {});
    t.env.advance(1s);
    EXPECT_EQ(t.find(pass.key->id)->state, ClaimState::uncertain);
    EXPECT_EQ(t.find(pass.guard->id)->state, ClaimState::uncertain);
}

TEST(PassHolds, AStopDoesNotWaitForAStoreThatIsAway) {
    HeldPass t(kSent);
    t.fail();
    t.settle(PassEnd::seal);
    t.stop(1s);
    EXPECT_FALSE(t.is_stopped);
    t.env.advance(3s);
    EXPECT_TRUE(t.is_stopped);
    ASSERT_TRUE(t.settled.has_value());
    EXPECT_EQ(t.settled->error().code(), ErrorCode::unavailable);
}

}  // namespace
}  // namespace semel
