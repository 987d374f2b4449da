// Claims of fences that wait for an owner, in virtual time.
#include "support/fence_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::answer_of;
using test::FenceNode;
using test::ToldFence;

constexpr const char* kPlain = R"({"key":"k"})";
constexpr const char* kPatient = R"({"key":"k","waitMs":30000})";

TEST(FenceWaits, WithoutPatienceSomebodyAtWorkIsToldAtOnce) {
    FenceNode t;
    t.own(kPlain);
    const auto told = t.ask(kPlain);
    EXPECT_EQ(answer_of(told).decision, Decision::in_flight);
}

TEST(FenceWaits, TheSealWakesEveryoneWithTheReceipt) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto first = t.ask(kPatient);
    const auto second = t.ask(kPatient);
    t.env.advance(10s);
    EXPECT_FALSE(first->has_value());
    t.seal(owned, "e-1", R"({"n":1})");
    for (const auto& told : {first, second}) {
        const FenceAnswer answer = answer_of(told);
        EXPECT_EQ(answer.decision, Decision::duplicate);
        EXPECT_EQ(answer.claim->effect->id, "e-1");
        EXPECT_EQ(answer.claim->receipt->body, R"({"n":1})");
    }
}

TEST(FenceWaits, AReleaseLetsOneInAndTheOthersWaitOn) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto first = t.ask(kPatient);
    const auto second = t.ask(kPatient);
    t.release(owned);
    ASSERT_NE(first->has_value(), second->has_value());
    const auto& winner = first->has_value() ? first : second;
    const auto& loser = first->has_value() ? second : first;
    const FenceAnswer won = answer_of(winner);
    EXPECT_EQ(won.decision, Decision::new_);
    EXPECT_GT(won.claim->token, owned.token);
    EXPECT_FALSE(won.takeover);
    t.seal(*won.claim);
    EXPECT_EQ(answer_of(loser).decision, Decision::duplicate);
}

TEST(FenceWaits, TheEndOfTheLeaseIsATakeover) {
    FenceNode t;
    t.own(R"({"key":"k","leaseMs":5000})");
    const auto told = t.ask(kPatient);
    t.env.advance(4999ms);
    EXPECT_FALSE(told->has_value());
    t.env.advance(1ms);
    const FenceAnswer answer = answer_of(told);
    EXPECT_EQ(answer.decision, Decision::new_);
    EXPECT_TRUE(answer.takeover);
}

TEST(FenceWaits, AHeartbeatLetsThemWaitOnAndAShorterLeaseDoesNot) {
    FenceNode t;
    const Claim owned = t.own(R"({"key":"k","leaseMs":5000})");
    const auto told = t.ask(kPatient);
    t.env.advance(4s);
    t.heartbeat(owned, 20s);
    t.env.advance(10s);
    EXPECT_FALSE(told->has_value());
    t.heartbeat(owned, 1s);
    t.env.advance(1s);
    EXPECT_TRUE(answer_of(told).takeover);
}

TEST(FenceWaits, PastItsPatienceItIsInFlight) {
    FenceNode t;
    t.own(kPlain);
    const auto told = t.ask(R"({"key":"k","waitMs":2000})");
    t.env.advance(1999ms);
    EXPECT_FALSE(told->has_value());
    t.env.advance(1ms);
    EXPECT_EQ(answer_of(told).decision, Decision::in_flight);
}

TEST(FenceWaits, OnlyWhatIsToldIsCounted) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    t.ask(kPatient);
    t.env.advance(1s);
    t.seal(owned);
    t.env.advance(2s);
    for (const LoggedDecision& line : t.decisions()) {
        EXPECT_NE(line.entry.decision, Decision::in_flight) << "nobody was told so";
    }
}

TEST(FenceWaits, OtherContentIsAConflictWithoutAWait) {
    FenceNode t;
    t.own(R"({"key":"k","content":1})");
    const auto told = t.ask(R"({"key":"k","content":2,"waitMs":30000})");
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ(std::get<Problem>(***told).code, ProblemCode::conflict);
}

TEST(FenceWaits, AnUncertainEffectEndsTheWait) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto told = t.ask(kPatient);
    t.mark_uncertain(owned);
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ(std::get<Problem>(***told).code, ProblemCode::uncertain);
}

TEST(FenceWaits, AnotherVersionOfTheSourceIsWaitedFor) {
    FenceNode t;
    const Claim first =
        t.own(R"({"parts":{"sourceType":"doc","sourceId":"1","revision":"1"},"version":1})");
    const auto told = t.ask(
        R"({"parts":{"sourceType":"doc","sourceId":"1","revision":"2"},"version":2,"waitMs":30000})");
    t.env.advance(1s);
    EXPECT_FALSE(told->has_value());
    t.seal(first);
    EXPECT_EQ(answer_of(told).decision, Decision::new_);
}

TEST(FenceWaits, OneThatIsGoneOwnsNothing) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto parked = t.ask(kPatient);
    t.node.cancel_fence_claim(t.last_ask);
    ASSERT_TRUE(parked->has_value());
    EXPECT_EQ((*parked)->error().code(), ErrorCode::stopped);
    t.release(owned);

    // While it is being decided: what it is given is let go again.
    std::optional<Result<Item<FenceAnswer>>> told;
    const auto id =
        t.node.claim_fence(t.command(kPatient), [&](auto answer) { told = std::move(answer); });
    t.node.cancel_fence_claim(id);
    t.env.settle();
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(told->error().code(), ErrorCode::stopped);
    EXPECT_EQ(t.decision(kPlain), Decision::new_);
    t.node.cancel_fence_claim(id);
    t.node.cancel_fence_claim(77);
}

TEST(FenceWaits, AStopAnswersEveryone) {
    FenceNode t;
    t.node.start();
    t.own(kPlain);
    const auto told = t.ask(kPatient);
    t.node.stop(0s, [] {});
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ((*told)->error().code(), ErrorCode::stopped);
    const auto late = t.ask(kPatient);
    ASSERT_TRUE(late->has_value());
    EXPECT_EQ((*late)->error().code(), ErrorCode::stopped);
    t.env.settle();
}

// Two nodes of one store, of which each hears of the other's commits by a hint alone: somebody
// waits at the other one for what was sealed here.
struct SealedElsewhere : FenceNode {
    SealedElsewhere() {
        const Claim owned = own(kPlain);
        told = ask(kPatient, &other);
        seal(owned);
    }
    SealedElsewhere(const SealedElsewhere&) = delete;
    SealedElsewhere& operator=(const SealedElsewhere&) = delete;
    ~SealedElsewhere() {
        other.stop(0s, [] {});
        env.settle();
    }

    Node other{env, store, {}};
    ToldFence told;
};

TEST(FenceWaits, ASealAtAnotherNodeIsSeenWhenTheStoreSaysLook) {
    SealedElsewhere t;
    t.env.advance(1s);
    EXPECT_FALSE(t.told->has_value());
    t.other.start();
    ASSERT_TRUE(t.store.look_at_ends);
    t.store.look_at_ends();
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
}

TEST(FenceWaits, AHintThatWasLostCostsTwoSeconds) {
    SealedElsewhere t;
    t.other.start();
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(t.told->has_value());
        t.env.advance(500ms);
        t.store.look();
    }
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
}

TEST(FenceWaits, AStoreThatFailsIsToldToWhoeverAsks) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto told = t.ask(kPatient);
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.env.advance(30s);
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ((*told)->error().code(), ErrorCode::unavailable);
    t.store.fail_load.reset();
}

TEST(FenceHolds, HeartbeatsKeepTheLeaseUntilItEnds) {
    FenceNode t;
    const Claim owned = t.own(R"({"key":"k","leaseMs":3000})");
    bool lost = false;
    const auto id = t.node.hold_fence({"default", owned.id, owned.token, owned.effect->lease},
                                      [&] { lost = true; });
    t.env.advance(1min);
    EXPECT_EQ(t.decision(kPlain), Decision::in_flight);
    t.node.end_hold(id);
    t.node.end_hold(id);
    t.env.advance(3s);
    EXPECT_EQ(t.decision(kPlain), Decision::new_);
    EXPECT_FALSE(lost);
}

TEST(FenceHolds, ALostTokenIsToldOnce) {
    FenceNode t;
    const Claim owned = t.own(R"({"key":"k","leaseMs":3000})");
    int lost = 0;
    t.node.hold_fence({"default", owned.id, owned.token, owned.effect->lease}, [&] { ++lost; });
    t.delete_claim(owned.id);
    t.env.advance(1min);
    EXPECT_EQ(lost, 1);
}

TEST(FenceHolds, ATroubleOfTheStoreIsNotTheEnd) {
    FenceNode t;
    const Claim owned = t.own(R"({"key":"k","leaseMs":3000})");
    bool lost = false;
    t.node.hold_fence({"default", owned.id, owned.token, owned.effect->lease},
                      [&] { lost = true; });
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.env.advance(1500ms);
    t.store.fail_load.reset();
    t.env.advance(1min);
    EXPECT_FALSE(lost);
    EXPECT_EQ(t.decision(kPlain), Decision::in_flight);
}

}  // namespace
}  // namespace semel
