// Requests of the gateway that wait for the claim of another one, in virtual time.
#include <vector>

#include <fmt/format.h>

#include "core/passes/pass_replay.hpp"
#include "support/pass_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::answer_of;
using test::Asked;
using test::error_of;
using test::PassNode;
using test::refusal_of;
using test::ToldPass;

const Asked kKey{.key = "k"};
const Asked kPatient{.key = "k", .wait = 3s};
const Asked kGuard{.guard = "hello", .wait = 3s};

std::vector<ToldPass> crowd(PassNode& t, const Asked& asked, int size) {
    std::vector<ToldPass> told;
    told.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) told.push_back(t.ask(t.admission(asked)));
    t.env.settle();
    return told;
}

TEST(PassWaits, OfACrowdOneIsNewAndTheOthersGetItsAnswer) {
    PassNode t;
    const auto told = crowd(t, {.key = "k", .dispatched = true, .wait = 3s}, 1000);
    EXPECT_EQ(answer_of(told.front()).decision, Decision::new_);
    for (std::size_t i = 1; i < told.size(); ++i) ASSERT_FALSE(told[i]->has_value());
    const int loads = t.store.loads;
    t.settle(answer_of(told.front()), PassEnd::seal);
    for (std::size_t i = 1; i < told.size(); ++i) {
        const PassAnswer answer = answer_of(told[i]);
        ASSERT_EQ(answer.decision, Decision::duplicate);
        ASSERT_EQ(answer.key->effect->pass->answer->status, 201);
    }
    EXPECT_EQ(t.store.loads - loads, 1) << "the commit's own row answers them";
}

TEST(PassWaits, WhatTheRowOfACommitAnswersIsCounted) {
    PassNode t;
    const PassAnswer first = t.send(kKey);
    const auto told = crowd(t, kPatient, 3);
    t.settle(first, PassEnd::seal);
    t.env.advance(2s);
    std::int64_t count = 0;
    for (const LoggedDecision& line : t.decisions()) {
        const DecisionEntry& entry = line.entry;
        EXPECT_NE(entry.decision, Decision::in_flight) << "no caller has received it";
        if (entry.decision != Decision::duplicate) continue;
        count += entry.count;
        EXPECT_EQ(entry.surface, "gateway");
        EXPECT_EQ(entry.type, "message.api");
        EXPECT_EQ(entry.rule, "sealed");
    }
    EXPECT_EQ(count, 3);
}

TEST(PassWaits, ARowAnswersNoOtherRequest) {
    PassNode t;
    const PassAnswer owned = t.send({.key = "k", .guard = "hello"});
    const SettledPass sealed = t.settle(owned, PassEnd::seal);
    const auto is_answered = [&](const Asked& asked, const std::shared_ptr<const Claim>& row,
                                 Millis later = 0ms) {
        return replay_pass(t.admission(asked), row, t.store.now() + later).has_value();
    };
    EXPECT_TRUE(is_answered(kKey, sealed.key));
    EXPECT_TRUE(is_answered({.guard = "hello"}, sealed.guard));
    EXPECT_FALSE(is_answered(kKey, owned.key)) << "it is not sealed";
    EXPECT_FALSE(is_answered({.key = "other"}, sealed.key));
    EXPECT_FALSE(is_answered({.key = "k", .body = "2"}, sealed.key)) << "a conflict";
    EXPECT_FALSE(is_answered(kKey, sealed.key, PassNode::kTtl));
    EXPECT_FALSE(is_answered({.guard = "hello"}, sealed.guard, PassNode::kWindow));
    EXPECT_FALSE(is_answered({.key = "k2", .guard = "hello"}, sealed.guard))
        << "the answer is kept under its key, which is a change";
    AdmitPass foreign = t.admission(kKey);
    foreign.tenant = "other";
    EXPECT_FALSE(replay_pass(foreign, sealed.key, t.store.now()));
}

TEST(PassWaits, AGuardWithoutAKeyIsAnsweredByTheRow) {
    PassNode t;
    const PassAnswer first = t.send({.guard = "hello"});
    const ToldPass own = t.ask(kGuard);
    const ToldPass foreign = t.ask({.guard = "hello", .principal = "bob", .wait = 3s});
    const int loads = t.store.loads;
    t.settle(first, PassEnd::seal);
    EXPECT_EQ(t.store.loads - loads, 1);
    EXPECT_TRUE(answer_of(own).by_guard);
    EXPECT_TRUE(answer_of(own).has_waited);
    EXPECT_FALSE(answer_of(t.ask(kGuard)).has_waited) << "it found the answer";
    EXPECT_TRUE(answer_of(own).guard->effect->pass->answer);
    const PassAnswer hidden = answer_of(foreign);
    EXPECT_TRUE(hidden.is_foreign);
    EXPECT_EQ(hidden.decision, Decision::duplicate);
    EXPECT_FALSE(hidden.guard->effect->pass->answer) << "only its principal sees the answer";
}

TEST(PassWaits, AGuardsAnswerIsSealedUnderTheKeyOfTheRequestThatWaited) {
    PassNode t;
    const PassAnswer first = t.send({.key = "k1", .guard = "hello"});
    const ToldPass told = t.ask({.key = "k2", .guard = "hello", .wait = 3s});
    EXPECT_FALSE(told->has_value());
    t.settle(first, PassEnd::seal);
    const PassAnswer answer = answer_of(told);
    EXPECT_EQ(answer.decision, Decision::duplicate);
    EXPECT_TRUE(answer.by_guard);
    EXPECT_TRUE(answer.has_waited);
    ASSERT_NE(answer.key, nullptr);
    EXPECT_EQ(t.state(answer.key), PassState::sealed);
}

TEST(PassWaits, AnotherBodyUnderTheKeyIsAConflictWithoutAWait) {
    PassNode t;
    const PassAnswer first = t.send(kKey);
    EXPECT_EQ(refusal_of(t.ask({.key = "k", .body = "2", .wait = 3s})), ProblemCode::key_reused);
    t.settle(first, PassEnd::seal);
    EXPECT_EQ(refusal_of(t.ask({.key = "k", .body = "2", .wait = 3s})), ProblemCode::key_reused);
}

TEST(PassWaits, AReleaseLetsOneInAndTheOthersWaitOn) {
    PassNode t;
    const PassAnswer first = t.own(kKey);
    const auto told = crowd(t, kPatient, 5);
    t.settle(first, PassEnd::release);
    std::vector<ToldPass> waiting;
    std::optional<PassAnswer> next;
    for (const ToldPass& one : told) {
        if (!one->has_value()) {
            waiting.push_back(one);
        } else {
            EXPECT_FALSE(next) << "one at a time";
            next = answer_of(one);
        }
    }
    ASSERT_TRUE(next);
    EXPECT_EQ(next->decision, Decision::new_);
    EXPECT_GT(next->key->token, first.key->token);
    ASSERT_EQ(waiting.size(), 4U);
    ASSERT_TRUE(std::holds_alternative<Dispatched>(t.dispatch(*next)));
    t.settle(*next, PassEnd::seal);
    for (const ToldPass& one : waiting) EXPECT_EQ(answer_of(one).decision, Decision::duplicate);
}

TEST(PassWaits, ADoubtEndsTheWait) {
    PassNode t;
    const PassAnswer first = t.send(kKey);
    const ToldPass told = t.ask(kPatient);
    t.settle(first, PassEnd::doubt);
    EXPECT_EQ(refusal_of(told), ProblemCode::uncertain);
}

TEST(PassWaits, TheEndOfTheLeaseIsATakeoverOrADoubt) {
    for (const bool sent : {false, true}) {
        PassNode t;
        Asked asked = kKey;
        asked.dispatched = sent;
        t.own(asked);
        t.env.advance(13s);
        const ToldPass told = t.ask(kPatient);
        t.env.advance(2s - 1ms);
        EXPECT_FALSE(told->has_value());
        t.env.advance(1ms);
        if (sent) {
            EXPECT_EQ(refusal_of(told), ProblemCode::uncertain);
        } else {
            EXPECT_EQ(answer_of(told).decision, Decision::new_);
            EXPECT_TRUE(answer_of(told).takeover);
        }
    }
}

TEST(PassWaits, PastItsPatienceItIsInFlight) {
    PassNode t;
    t.own(kKey);
    EXPECT_EQ(answer_of(t.ask(kKey)).decision, Decision::in_flight) << "it has none";
    const ToldPass told = t.ask(kPatient);
    t.env.advance(3s - 1ms);
    EXPECT_FALSE(told->has_value());
    t.env.advance(1ms);
    EXPECT_EQ(answer_of(told).decision, Decision::in_flight);
}

// ---- hang-ups -----------------------------------------------------------------------------------

TEST(PassWaits, AParkedRequestThatHangsUpIsForgotten) {
    PassNode t;
    const PassAnswer first = t.own(kKey);
    const ToldPass told = t.ask(kPatient);
    t.node.hang_up_pass(t.last_ask);
    EXPECT_EQ(error_of(told), ErrorCode::stopped);
    t.settle(first, PassEnd::release);
    EXPECT_EQ(t.state(first.key), PassState::nothing);
    t.node.hang_up_pass(t.last_ask);
    t.node.hang_up_pass(77);
}

TEST(PassWaits, ARequestThatHangsUpWhileItIsAdmittedReleasesAtOnce) {
    PassNode t;
    const AdmitPass command =
        t.admission({.key = "k", .guard = "hello", .dispatched = true, .wait = 3s});
    const ToldPass told = t.ask(command);
    t.node.hang_up_pass(t.last_ask);
    const auto other = t.ask({.key = "k", .wait = 3s});
    EXPECT_EQ(error_of(told), ErrorCode::stopped);
    EXPECT_EQ(answer_of(other).decision, Decision::new_) << "nothing was sent";
    EXPECT_EQ(answer_of(t.ask(kGuard)).decision, Decision::new_);
}

TEST(PassWaits, ARetryThatHangsUpLeavesTheDoubtBehind) {
    PassNode t;
    const PassAnswer first = t.send(kKey);
    t.settle(first, PassEnd::doubt);
    const ToldPass told = t.ask(t.admission({.key = "k", .retries = true}));
    t.node.hang_up_pass(t.last_ask);
    t.env.settle();
    EXPECT_EQ(error_of(told), ErrorCode::stopped);
    EXPECT_EQ(t.state(first.key), PassState::uncertain);
}

TEST(PassWaits, WhatAReleaseLeavesUndoneIsTriedAgain) {
    PassNode t;
    const AdmitPass command = t.admission({.key = "k", .dispatched = true});
    const ToldPass told = t.ask(command);
    t.node.hang_up_pass(t.last_ask);
    t.store.after_commit = [&] { t.fail(); };
    t.env.settle();
    EXPECT_EQ(error_of(told), ErrorCode::stopped);
    t.env.advance(5s);
    EXPECT_EQ(t.find(command.request.key->claim)->state, ClaimState::owned);
    t.store.fail_load.reset();
    t.env.advance(2s);
    EXPECT_EQ(t.find(command.request.key->claim)->state, ClaimState::free);
}

// ---- the store ----------------------------------------------------------------------------------

TEST(PassWaits, AnAdmissionIsAskedAgainForASecond) {
    PassNode t;
    t.fail();
    const ToldPass told = t.ask(kKey);
    t.env.advance(900ms);
    EXPECT_FALSE(told->has_value());
    t.store.fail_load.reset();
    t.env.advance(100ms);
    EXPECT_EQ(answer_of(told).decision, Decision::new_);
}

TEST(PassWaits, AStoreThatStaysAwayIsToldAfterASecond) {
    PassNode t;
    t.fail();
    const ToldPass told = t.ask(kKey);
    t.env.advance(1s - 1ms);
    EXPECT_FALSE(told->has_value());
    t.env.advance(1ms);
    EXPECT_EQ(error_of(told), ErrorCode::unavailable) << "it did not land";
}

TEST(PassWaits, AnAdmissionOfUnknownFateIsAskedAgainAndIsStillNew) {
    PassNode t;
    t.lose_commit();
    const AdmitPass command = t.admission(kKey);
    const ToldPass told = t.ask(command);
    t.env.settle();
    EXPECT_FALSE(told->has_value());
    const Token token = t.find(command.request.key->claim)->token;
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(told).decision, Decision::new_);
    EXPECT_EQ(answer_of(told).key->token, token) << "the same hold";
}

// A pass whose admission is lost, at a store that is away from then on.
struct Lost : PassNode {
    Lost() {
        lose_commit();
        store.before_commit = [this] { fail(); };
        told = ask(command);
        env.settle();
        store.before_commit = nullptr;
        env.advance(2s);
    }
    PassState state() {
        const auto found = find(command.request.key->claim);
        return found ? judge(*found, store.now()) : PassState::nothing;
    }

    const AdmitPass command = admission({.key = "k", .guard = "g", .dispatched = true});
    ToldPass told;
};

TEST(PassWaits, AnAdmissionThatMayHaveLandedIsToldSoAndLetGoLater) {
    Lost t;
    EXPECT_EQ(error_of(t.told), ErrorCode::commit_unknown);
    EXPECT_EQ(t.state(), PassState::sent);
    t.env.advance(5s);
    t.store.fail_load.reset();
    t.env.advance(4s);
    EXPECT_EQ(t.state(), PassState::nothing);
    EXPECT_EQ(answer_of(t.ask({.guard = "g"})).decision, Decision::new_) << "and its guard";
}

TEST(PassWaits, WhatIsNotLetGoInItsLeaseIsUncertain) {
    Lost t;
    t.env.advance(30s);
    t.store.fail_load.reset();
    t.env.advance(30s);
    EXPECT_EQ(t.state(), PassState::uncertain);
}

TEST(PassWaits, AHangUpBetweenTwoTriesLeavesNothingBehind) {
    PassNode t;
    t.lose_commit();
    const AdmitPass command = t.admission({.key = "k", .dispatched = true});
    const ToldPass told = t.ask(command);
    t.env.settle();
    EXPECT_EQ(t.find(command.request.key->claim)->state, ClaimState::owned);
    t.node.hang_up_pass(t.last_ask);
    t.env.advance(200ms);
    EXPECT_EQ(error_of(told), ErrorCode::stopped);
    EXPECT_EQ(t.find(command.request.key->claim)->state, ClaimState::free);
}

// ---- another node -------------------------------------------------------------------------------

// A request waits at one node for a pass that another one ends.
struct Elsewhere : PassNode {
    explicit Elsewhere(PassEnd end) {
        const PassAnswer first = send(kKey);
        told = ask({.key = "k", .wait = 10s}, &other);
        settle(first, end);
    }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;
    ~Elsewhere() {
        other.stop(0s, [] {});
        env.settle();
    }

    Node other{env, store, {}};
    ToldPass told;
};

TEST(PassWaits, TheEndAtAnotherNodeIsSeenByItsHint) {
    Elsewhere t(PassEnd::seal);
    t.other.start();
    t.env.advance(1s);
    EXPECT_FALSE(t.told->has_value());
    t.store.poll_ends();
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::duplicate);
}

TEST(PassWaits, AHintThatWasLostCostsTwoSeconds) {
    Elsewhere t(PassEnd::release);
    t.other.start();
    for (int i = 0; i < 4; ++i) {
        EXPECT_FALSE(t.told->has_value());
        t.env.advance(500ms);
        t.store.poll();
    }
    t.env.advance(200ms);
    EXPECT_EQ(answer_of(t.told).decision, Decision::new_);
}

// ---- stop ---------------------------------------------------------------------------------------

TEST(PassWaits, AStopAnswersEveryoneAndLeavesNoHold) {
    PassNode t;
    t.node.start();
    t.env.settle();
    t.own({.key = "other"});
    const ToldPass parked = t.ask({.key = "other", .wait = 3s});
    const AdmitPass command = t.admission({.key = "k", .dispatched = true});
    const ToldPass asked = t.ask(command);
    bool is_stopped = false;
    t.node.stop(10s, [&] { is_stopped = true; });
    EXPECT_EQ(error_of(parked), ErrorCode::stopped);
    t.env.settle();
    EXPECT_EQ(error_of(asked), ErrorCode::stopped);
    EXPECT_TRUE(is_stopped);
    EXPECT_EQ(t.find(command.request.key->claim)->state, ClaimState::free);
    EXPECT_EQ(error_of(t.ask(kKey)), ErrorCode::stopped);
}

}  // namespace
}  // namespace semel
