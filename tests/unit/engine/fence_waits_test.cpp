// Claims of fences that wait for an owner, in virtual time.
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "support/fence_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::answer_of;
using test::FenceNode;
using test::ToldFence;

constexpr const char* kPlain = R"({"key":"k"})";
constexpr const char* kPatientFence = R"({"key":"k","waitMs":30000})";

TEST(FenceWaits, WithoutPatienceSomebodyAtWorkIsToldAtOnce) {
    FenceNode t;
    t.own(kPlain);
    const auto told = t.ask(kPlain);
    EXPECT_EQ(answer_of(told).decision, Decision::in_flight);
}

TEST(FenceWaits, TheSealWakesEveryoneWithTheReceipt) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto first = t.ask(kPatientFence);
    const auto second = t.ask(kPatientFence);
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
    const auto first = t.ask(kPatientFence);
    const auto second = t.ask(kPatientFence);
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
    const auto told = t.ask(kPatientFence);
    t.env.advance(4999ms);
    EXPECT_FALSE(told->has_value());
    t.env.advance(1ms);
    const FenceAnswer answer = answer_of(told);
    EXPECT_EQ(answer.decision, Decision::new_);
    EXPECT_TRUE(answer.takeover);
}

// As while a step of the wall clock is slewed.
TEST(FenceWaits, TheEndOfTheLeaseIsNotSleptThroughWhereStoreTimeIsFaster) {
    FenceNode t;
    const Time begin = t.env.now();
    const auto fast = make_memory_store([&] { return begin + (t.env.now() - begin) * 11 / 10; });
    Node node(t.env, *fast, {});
    t.ask(R"({"key":"k","leaseMs":50000})", &node);
    const auto told = t.ask(R"({"key":"k","waitMs":60000})", &node);
    t.env.advance(45s);
    EXPECT_FALSE(told->has_value());
    t.env.advance(2s);
    EXPECT_TRUE(answer_of(told).takeover);
}

TEST(FenceWaits, AHeartbeatLetsThemWaitOnAndAShorterLeaseDoesNot) {
    FenceNode t;
    const Claim owned = t.own(R"({"key":"k","leaseMs":5000})");
    const auto told = t.ask(kPatientFence);
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

TEST(FenceWaits, OnlyWhatIsServedIsCounted) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    t.ask(kPatientFence);
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
    const auto told = t.ask(kPatientFence);
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

// It holds its source to the end of its lease, or until somebody has found out.
TEST(FenceWaits, AnUncertainVersionIsWaitedForUntilSomebodyEndsIt) {
    using End = std::function<void(FenceNode&, const Claim&)>;
    const std::vector<End> ends = {
        [](FenceNode& t, const Claim& claim) { t.resolve(claim, ClaimOutcome::sealed, "e"); },
        [](FenceNode& t, const Claim& claim) { t.resolve(claim, ClaimOutcome::released); },
        [](FenceNode& t, const Claim& claim) { t.delete_claim(claim.id); }};
    for (const End& end : ends) {
        FenceNode t;
        const Claim first = t.own(
            R"({"parts":{"sourceType":"doc","sourceId":"1","revision":"1"},"version":1,"leaseMs":60000})");
        t.mark_uncertain(first);
        const auto told = t.ask(
            R"({"parts":{"sourceType":"doc","sourceId":"1","revision":"2"},"version":2,"waitMs":30000})");
        t.env.advance(1s);
        EXPECT_FALSE(told->has_value());
        end(t, first);
        EXPECT_EQ(answer_of(told).decision, Decision::new_);
    }
}

TEST(FenceWaits, OneThatIsGoneOwnsNothing) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto parked = t.ask(kPatientFence);
    t.node.cancel_fence_claim(t.last_ask);
    ASSERT_TRUE(parked->has_value());
    EXPECT_EQ((*parked)->error().code(), ErrorCode::stopped);
    t.release(owned);

    // While it is being decided: what it is given is let go again.
    std::optional<Result<Item<FenceAnswer>>> told;
    const auto id = t.node.claim_fence(t.command(kPatientFence),
                                       [&](auto answer) { told = std::move(answer); });
    t.node.cancel_fence_claim(id);
    t.env.settle();
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(told->error().code(), ErrorCode::stopped);
    EXPECT_EQ(t.decision(kPlain), Decision::new_);
    t.node.cancel_fence_claim(id);
    t.node.cancel_fence_claim(77);
}

// Nobody knows what the owner did whose lease ran out: whoever comes next has to poll, although the
// one that took over did nothing.
TEST(FenceWaits, OneThatIsGoneDoesNotHideATakeover) {
    FenceNode t;
    t.own(R"({"key":"k","leaseMs":5000})");
    t.env.advance(5s);
    const auto id = t.node.claim_fence(t.command(kPlain), [](const auto&) {});
    t.node.cancel_fence_claim(id);
    t.env.settle();
    const FenceAnswer next = t.claim(kPlain);
    EXPECT_EQ(next.decision, Decision::new_);
    EXPECT_TRUE(next.takeover);
}

TEST(FenceWaits, AWaitWithoutEndWaits) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    ClaimFence command = t.command(kPatientFence);
    command.request.wait = Millis::max();
    std::optional<Result<Item<FenceAnswer>>> told;
    t.node.claim_fence(std::move(command), [&](auto answer) { told = std::move(answer); });
    t.env.advance(30s);
    EXPECT_FALSE(told.has_value());
    t.seal(owned);
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(std::get<FenceAnswer>(**told).decision, Decision::duplicate);
}

// Each of them keeps what it came with: a thousand of these are as much as may wait.
TEST(FenceWaits, MoreThanMemoryShouldHoldAreToldAtOnce) {
    FenceNode t;
    const std::string large =
        R"({"key":"k","waitMs":30000,"content":")" + std::string(60'000, 'x') + "\"}";
    const Claim owned = t.own(large);
    std::vector<ToldFence> waiting;
    while (waiting.empty() || !waiting.back()->has_value()) {
        waiting.push_back(t.ask(large));
        ASSERT_LT(waiting.size(), 2000U);
    }
    EXPECT_EQ(answer_of(waiting.back()).decision, Decision::in_flight);
    EXPECT_GT(waiting.size(), 1000U);
    t.seal(owned);
    for (std::size_t i = 0; i + 1 < waiting.size(); ++i) {
        EXPECT_EQ(answer_of(waiting[i]).decision, Decision::duplicate);
    }
}

TEST(FenceWaits, AStopAnswersEveryone) {
    FenceNode t;
    t.node.start();
    t.own(kPlain);
    const auto told = t.ask(kPatientFence);
    t.node.stop(0s, [] {});
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ((*told)->error().code(), ErrorCode::stopped);
    const auto late = t.ask(kPatientFence);
    ASSERT_TRUE(late->has_value());
    EXPECT_EQ((*late)->error().code(), ErrorCode::stopped);
    t.env.settle();
}

// Two nodes of one store, of which each hears of the other's commits by a hint alone: somebody
// waits at the other one for what was sealed here.
struct SealedElsewhere : FenceNode {
    SealedElsewhere() {
        const Claim owned = own(kPlain);
        told = ask(kPatientFence, &other);
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
    ASSERT_TRUE(t.store.poll_ends);
    t.store.poll_ends();
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
}

// It was told how things were before the hint, and waits after it.
TEST(FenceWaits, AHintThatComesWhileItIsToldIsNotLost) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    t.seal(owned);
    Node other{t.env, t.store, {}};
    other.start();
    t.env.settle();
    t.store.change_load = [&](const LoadSpec&, Loaded& loaded) {
        for (Claim& claim : loaded.claims) claim = owned;  // it was read before the seal
        t.store.poll_ends();
    };
    const auto told = t.ask(kPatientFence, &other);
    EXPECT_FALSE(told->has_value());
    t.store.change_load = nullptr;
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(told).decision, Decision::duplicate);
    other.stop(0s, [] {});
    t.env.settle();
}

TEST(FenceWaits, AHintThatWasLostCostsTwoSeconds) {
    SealedElsewhere t;
    t.other.start();
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(t.told->has_value());
        t.env.advance(500ms);
        t.store.poll();
    }
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
}

// However many there are, and whatever they wait for.
TEST(FenceWaits, APollIsOneRead) {
    SealedElsewhere t;
    std::vector<ToldFence> others;
    for (const char* key : {"a", "b", "c"}) {
        t.own(fmt::format(R"({{"key":"{}"}})", key));
        others.push_back(t.ask(fmt::format(R"({{"key":"{}","waitMs":30000}})", key), &t.other));
    }
    t.other.start();
    t.env.advance(1s);
    const int before = t.store.reads_asked;
    t.store.poll_ends();
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
    for (const ToldFence& told : others) EXPECT_FALSE(told->has_value());
    EXPECT_EQ(t.store.reads_asked - before, 1);
}

TEST(FenceWaits, AStoreThatFailsIsToldToWhoeverAsks) {
    FenceNode t;
    const Claim owned = t.own(kPlain);
    const auto told = t.ask(kPatientFence);
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.env.advance(30s);
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ((*told)->error().code(), ErrorCode::unavailable);
    t.store.fail_load.reset();
}

}  // namespace
}  // namespace semel
