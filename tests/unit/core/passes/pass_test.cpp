// The states of a pass, row by row: what a request meets, and what owner, time and operator do.
#include <gmock/gmock.h>

#include "support/pass_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Asked;
using test::code_of;
using test::kBoth;
using test::PassTable;

PassState state(PassTable& t, const std::shared_ptr<const Claim>& claim) {
    const auto row = t.claim(claim->id);
    return row ? judge(*row, t.now) : PassState::nothing;
}

std::string replayed_body(PassTable& t, const PassAnswer& answer) {
    const auto& claim = answer.by_guard ? answer.guard : answer.key;
    return t.response(claim->effect->pass->answer->response).value_or("no row");
}

// ---- free -------------------------------------------------------------------------------------

TEST(Pass, OwnsKeyAndGuardInOneCommit) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    ASSERT_TRUE(pass.key && pass.guard);
    EXPECT_FALSE(pass.takeover);
    EXPECT_EQ(t.claim(pass.key->id), *pass.key);
    EXPECT_EQ(t.claim(pass.guard->id), *pass.guard);
    EXPECT_EQ(pass.key->space, "key.message.api");
    EXPECT_EQ(pass.guard->space, "guard.message.api");
    EXPECT_EQ(pass.key->token, pass.guard->token);
    EXPECT_EQ(pass.key->expires_at, t.now + PassTable::kLease) << "upkeep finds a silent owner";
    EXPECT_TRUE(are_twins(*pass.key, *pass.guard));
    EXPECT_EQ(state(t, pass.key), PassState::held);
    EXPECT_EQ(state(t, pass.guard), PassState::held);
}

TEST(Pass, IsSentAtOnceIfAConnectionIsInHand) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    EXPECT_EQ(pass.key->effect->pass->dispatched_at, t.now);
    EXPECT_EQ(pass.guard->effect->pass->dispatched_at, t.now);
    EXPECT_EQ(state(t, pass.guard), PassState::sent);
}

TEST(Pass, AsksForAKeyOrAGuardAlone) {
    PassTable t;
    EXPECT_EQ(t.own({.key = "k1"}).guard, nullptr);
    const PassAnswer guarded = t.own({.guard = "hello"});
    EXPECT_EQ(guarded.key, nullptr);
    EXPECT_FALSE(guarded.guard->effect->pass->twin.has_value());
}

TEST(Pass, OfManyInOneCommitOneIsNew) {
    PassTable t;
    std::vector<AdmitPass> commands;
    for (int i = 0; i < 50; ++i) {
        commands.push_back(t.admission({.key = "k" + std::to_string(i), .guard = "hello"}));
    }
    int fresh = 0;
    for (const auto& reply : t.run_batch(commands)) {
        const auto& answer = std::get<PassAnswer>(std::get<AdmitPass::Outcome>(reply));
        fresh += answer.decision == Decision::new_ ? 1 : 0;
    }
    EXPECT_EQ(fresh, 1);
}

TEST(Pass, IsAdmittedAgainUnderItsEffectIdWithTheSameToken) {
    PassTable t;
    for (const bool dispatched : {false, true}) {
        const AdmitPass command = t.admission({.key = dispatched ? "k2" : "k1",
                                               .guard = dispatched ? "b" : "a",
                                               .dispatched = dispatched});
        const PassAnswer first = t.admit(command);
        const std::size_t entries = t.decisions.size();
        t.advance(1s);
        const PassAnswer again = t.admit(command);
        EXPECT_EQ(again.decision, Decision::new_);
        EXPECT_EQ(*again.key, *first.key);
        EXPECT_EQ(*again.guard, *first.guard);
        EXPECT_EQ(t.decisions.size(), entries) << "it was decided once";
    }
}

// ---- held and sent ----------------------------------------------------------------------------

TEST(Pass, IsInFlightForTheSameRequestWhileItsLeaseRuns) {
    for (const bool dispatched : {false, true}) {
        PassTable t;
        Asked asked = kBoth;
        asked.dispatched = dispatched;
        const PassAnswer pass = t.own(asked);
        t.advance(PassTable::kLease - 1ms);
        const PassAnswer by_key = t.admit(kBoth);
        EXPECT_EQ(by_key.decision, Decision::in_flight);
        EXPECT_FALSE(by_key.by_guard);
        EXPECT_EQ(by_key.guard, nullptr) << "the guard is not looked at";
        EXPECT_EQ(by_key.holder->claim, pass.key->id);
        const PassAnswer by_guard = t.admit({.key = "k2", .guard = "hello"});
        EXPECT_EQ(by_guard.decision, Decision::in_flight);
        EXPECT_TRUE(by_guard.by_guard);
        EXPECT_EQ(by_guard.holder->claim, pass.guard->id);
        EXPECT_FALSE(t.has_key("k2")) << "the new key is not held";
    }
}

TEST(Pass, OtherContentUnderItsKeyIsAConflictWithADiff) {
    for (const bool dispatched : {false, true}) {
        PassTable t;
        t.own({.key = "k1", .guard = "hello", .dispatched = dispatched});
        const auto answer = t.try_admit({.key = "k1", .guard = "other", .body = R"({"a":2})"});
        ASSERT_EQ(code_of(answer), ProblemCode::key_reused);
        EXPECT_EQ(std::get<Problem>(answer).diff_json,
                  R"([{"op":"replace","path":"/a","value":2}])");
        EXPECT_EQ(t.own({.guard = "other"}).decision, Decision::new_) << "its guard is untouched";
    }
}

TEST(Pass, AHeldOneIsDispatchedAndRenewsItsLease) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    t.advance(10s);
    const auto sent = std::get<Dispatched>(t.dispatch(pass));
    EXPECT_EQ(sent.at, t.now);
    EXPECT_EQ(sent.lease_until, t.now + PassTable::kLease);
    t.advance(1s);
    EXPECT_EQ(std::get<Dispatched>(t.dispatch(pass)).at, sent.at) << "repeated";
    EXPECT_EQ(t.claim(pass.guard->id)->effect->pass->dispatched_at, sent.at);
}

TEST(Pass, IsNotDispatchedIfOneOfItsClaimsIsLost) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    t.erase(*pass.guard);
    EXPECT_EQ(code_of(t.dispatch(pass)), ProblemCode::stale_token);
    EXPECT_EQ(state(t, pass.key), PassState::held) << "nothing was changed";
}

TEST(Pass, AHeartbeatRenewsTheLeaseAndItsExpiry) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.advance(5s);
    for (const Item<Time>& end : t.beat(pass)) {
        EXPECT_EQ(std::get<Time>(end), t.now + PassTable::kLease);
    }
    EXPECT_EQ(t.claim(pass.guard->id)->expires_at, t.now + PassTable::kLease);
    t.erase(*pass.key);
    const auto ends = t.beat(pass);
    EXPECT_EQ(code_of(ends[0]), ProblemCode::stale_token);
    EXPECT_EQ(code_of(ends[1]), std::nullopt) << "the other one is renewed";
}

TEST(Pass, AGuardStaysPastItsWindowWhileItsLeaseRuns) {
    PassTable t;
    const PassAnswer pass = t.send({.guard = "hello"});
    for (Millis passed{0}; passed < PassTable::kWindow + 1min; passed += 10s) {
        t.advance(10s);
        t.beat(pass);
    }
    EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::in_flight);
    t.advance(PassTable::kLease);
    EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::new_);
}

// ---- an owner that is silent ------------------------------------------------------------------

TEST(Pass, AnUnsentOneIsTakenOverWithOtherContentAndALargerToken) {
    PassTable t;
    const PassAnswer dead = t.own(kBoth);
    t.advance(PassTable::kLease);
    EXPECT_EQ(state(t, dead.key), PassState::lapsed);
    const PassAnswer next = t.own({.key = "k1", .guard = "hello", .body = R"({"a":2})"});
    EXPECT_TRUE(next.takeover);
    EXPECT_GT(next.key->token, dead.key->token);
    EXPECT_NE(next.key->effect->pass->effect, dead.key->effect->pass->effect);
    EXPECT_EQ(code_of(t.dispatch(dead)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.beat(dead)[0]), ProblemCode::stale_token);
    EXPECT_TRUE(t.settle(dead, PassEnd::release).is_key_stale);
    EXPECT_EQ(t.claim(next.key->id), *next.key);
}

TEST(Pass, AnUnsentOneIsDispatchedLateIfNoRequestCame) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    t.advance(PassTable::kLease + 1min);
    EXPECT_EQ(code_of(t.dispatch(pass)), std::nullopt);
    EXPECT_EQ(state(t, pass.key), PassState::sent);
}

TEST(Pass, UpkeepDeletesUnsentOnes) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    EXPECT_EQ(t.prune_claims().count, 0);
    t.advance(PassTable::kLease);
    EXPECT_EQ(t.prune_claims().count, 2);
    EXPECT_EQ(t.claim(pass.key->id), std::nullopt);
    EXPECT_EQ(t.claim(pass.guard->id), std::nullopt);
    EXPECT_EQ(code_of(t.dispatch(pass)), ProblemCode::stale_token);
}

TEST(Pass, ASentOneIsUncertainFromTheEndOfItsLease) {
    for (const bool upkeep_has_run : {false, true}) {
        PassTable t;
        const PassAnswer pass = t.send(kBoth);
        t.advance(PassTable::kLease);
        if (upkeep_has_run) {
            EXPECT_EQ(t.prune_claims().count, 2);
            EXPECT_EQ(t.claim(pass.key->id)->state, ClaimState::uncertain);
            EXPECT_EQ(t.claim(pass.key->id)->expires_at, std::nullopt);
            EXPECT_EQ(t.claim(pass.guard->id)->expires_at, pass.guard->created_at + 15min);
            EXPECT_EQ(t.prune_claims().count, 0);
        }
        for (const Asked& asked :
             {kBoth, Asked{.guard = "hello"}, Asked{.key = "k2", .guard = "hello"},
              Asked{.key = "k1", .body = R"({"a":2})"}}) {
            const auto answer = t.try_admit(asked);
            ASSERT_EQ(code_of(answer), ProblemCode::uncertain);
            EXPECT_EQ(std::get<Problem>(answer).diff_json, "");
        }
        EXPECT_EQ(code_of(t.dispatch(pass)), ProblemCode::stale_token);
        EXPECT_EQ(code_of(t.beat(pass)[0]), ProblemCode::stale_token);
    }
}

TEST(Pass, AnUncertainKeyNeverExpiresAndAGuardDoesWithItsWindow) {
    for (const bool upkeep_has_run : {false, true}) {
        PassTable t;
        t.send(kBoth);
        t.advance(PassTable::kLease);
        if (upkeep_has_run) t.prune_claims();
        t.advance(PassTable::kWindow);
        EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::new_);
        t.advance(1000 * 24h);
        t.prune_claims();
        EXPECT_EQ(code_of(t.try_admit({.key = "k1"})), ProblemCode::uncertain);
    }
}

TEST(Pass, ALateSealOrReleaseIsAcceptedUntilAnotherOwnerCame) {
    for (const bool upkeep_has_run : {false, true}) {
        for (const PassEnd end : {PassEnd::seal, PassEnd::release}) {
            PassTable t;
            const PassAnswer pass = t.send(kBoth);
            t.advance(1min);
            if (upkeep_has_run) t.prune_claims();
            const SettledPass settled = t.settle(pass, end);
            EXPECT_FALSE(settled.is_key_stale);
            EXPECT_FALSE(settled.is_guard_stale);
            const Decision expected = end == PassEnd::seal ? Decision::duplicate : Decision::new_;
            EXPECT_EQ(t.admit(kBoth).decision, expected);
        }
    }
}

// ---- sealed -----------------------------------------------------------------------------------

TEST(Pass, ASealedOneIsReplayedUntilItsTtlEnds) {
    PassTable t;
    const PassAnswer pass = t.send({.key = "k1"});
    t.advance(1s);
    const SettledPass settled = t.settle(pass, PassEnd::seal);
    EXPECT_EQ(t.claim(pass.key->id), *settled.key);
    EXPECT_EQ(settled.key->expires_at, pass.key->created_at + PassTable::kTtl);
    const PassAnswer replay = t.admit({.key = "k1"});
    EXPECT_EQ(replay.decision, Decision::duplicate);
    EXPECT_EQ(*replay.key, *settled.key);
    EXPECT_EQ(replay.key->effect->pass->answer->status, 201);
    EXPECT_EQ(replayed_body(t, replay), "sent");
    EXPECT_EQ(code_of(t.try_admit({.key = "k1", .body = "{}"})), ProblemCode::key_reused);
    t.advance(PassTable::kTtl);
    EXPECT_EQ(state(t, pass.key), PassState::nothing);
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::new_);
}

TEST(Pass, AnExpiredOneLeavesNoTombstone) {
    PassTable t;
    t.settle(t.send(kBoth), PassEnd::seal);
    t.advance(PassTable::kTtl);
    EXPECT_EQ(t.prune_claims().count, 2);
    EXPECT_FALSE(t.has_key("k1"));
}

TEST(Pass, ASealedGuardAnswersItsPrincipal) {
    PassTable t;
    const PassAnswer pass = t.send({.guard = "hello"});
    t.settle(pass, PassEnd::seal);
    const PassAnswer own = t.admit({.guard = "hello"});
    EXPECT_EQ(own.decision, Decision::duplicate);
    EXPECT_TRUE(own.by_guard);
    EXPECT_EQ(replayed_body(t, own), "sent");
    const PassAnswer foreign = t.admit({.key = "k2", .guard = "hello", .principal = "bob"});
    EXPECT_EQ(foreign.decision, Decision::duplicate);
    EXPECT_TRUE(foreign.is_foreign);
    EXPECT_FALSE(foreign.guard->effect->pass->answer.has_value()) << "nothing is shown of it";
    EXPECT_FALSE(t.has_key("k2", "bob"));
}

TEST(Pass, AKeyThatMeetsAGuardsAnswerIsSealedWithIt) {
    PassTable t;
    const PassAnswer first = t.send(kBoth);
    t.settle(first, PassEnd::seal);
    t.advance(2min);
    const AdmitPass command = t.admission({.key = "k2", .guard = "hello"});
    const PassAnswer met = t.admit(command);
    ASSERT_EQ(met.decision, Decision::duplicate);
    EXPECT_TRUE(met.by_guard);
    const KeptAnswer& answer = *met.key->effect->pass->answer;
    EXPECT_EQ(answer.note, "Sent 2 minutes ago.");
    EXPECT_TRUE(answer.is_borrowed);
    EXPECT_EQ(met.key->effect->id, first.key->effect->id) << "the effect that happened";
    t.advance(1min);
    for (const AdmitPass& repeat : {command, t.admission({.key = "k2", .guard = "hello"})}) {
        const PassAnswer replay = t.admit(repeat);
        EXPECT_EQ(replay.decision, Decision::duplicate);
        EXPECT_EQ(*replay.key, *met.key) << "message included";
    }
    // The body stays as long as the last key that refers to it.
    t.advance(PassTable::kTtl - 2min);
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::new_);
    EXPECT_EQ(replayed_body(t, t.admit({.key = "k2"})), "sent");
}

TEST(Pass, AnAnswerWithoutABodyIsFinalToo) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    SettlePass command = t.settlement(pass, PassEnd::seal, PassEnd::seal);
    command.answer->has_body = false;
    command.body = nullptr;
    t.settle(command);
    for (const Asked& asked : {kBoth, Asked{.key = "k2", .guard = "hello"}}) {
        const PassAnswer replay = t.admit(asked);
        EXPECT_EQ(replay.decision, Decision::duplicate);
        EXPECT_FALSE(replay.key->effect->pass->answer->has_body);
    }
}

// ---- settle -----------------------------------------------------------------------------------

TEST(Pass, SettlesItsGuardInAnotherWayThanItsKey) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(t.settlement(pass, PassEnd::seal, PassEnd::release));
    EXPECT_EQ(t.admit(kBoth).decision, Decision::duplicate);
    EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::new_);
}

TEST(Pass, KeepsAClaimThatTheSettlementDoesNotName) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    const SettledPass settled = t.settle(t.settlement(pass, PassEnd::seal, std::nullopt));
    EXPECT_FALSE(settled.is_guard_stale);
    EXPECT_EQ(t.claim(pass.guard->id), *pass.guard);
}

TEST(Pass, ASettlementIsRepeatedWithTheSameAnswerAndNotWithAnother) {
    PassTable t;
    for (const PassEnd end : {PassEnd::doubt, PassEnd::release, PassEnd::seal}) {
        const PassAnswer pass = t.send({.key = "k" + std::to_string(static_cast<int>(end)),
                                        .guard = std::to_string(static_cast<int>(end))});
        const SettledPass first = t.settle(pass, end);
        t.advance(1s);
        const SettledPass again = t.settle(pass, end);
        ASSERT_TRUE(again.key && again.guard);
        EXPECT_EQ(*again.key, *first.key);
        EXPECT_EQ(*again.guard, *first.guard);
    }
    const PassAnswer sealed = t.send({.key = "s"});
    t.settle(sealed, PassEnd::seal);
    SettlePass other = t.settlement(sealed, PassEnd::seal, {});
    other.answer->status = 500;
    EXPECT_TRUE(t.settle(other).is_key_stale);
    EXPECT_TRUE(t.settle(sealed, PassEnd::doubt).is_key_stale) << "a cut after that stays sealed";
}

TEST(Pass, AStaleClaimDoesNotStopItsTwin) {
    PassTable t;
    const PassAnswer first = t.send(kBoth);
    t.erase(*first.key);
    const SettledPass settled = t.settle(first, PassEnd::seal);
    EXPECT_TRUE(settled.is_key_stale);
    EXPECT_FALSE(settled.is_guard_stale);
    EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::duplicate);
    EXPECT_EQ(t.claim(first.key->id)->state, ClaimState::free);

    const PassAnswer second = t.send({.key = "k2", .guard = "other"});
    t.erase(*second.guard);
    EXPECT_TRUE(t.settle(second, PassEnd::seal).is_guard_stale);
    EXPECT_EQ(t.admit({.key = "k2"}).decision, Decision::duplicate);
}

TEST(Pass, AnUnsentOneCanOnlyBeReleased) {
    PassTable t;
    const PassAnswer pass = t.own(kBoth);
    EXPECT_TRUE(t.settle(pass, PassEnd::seal).is_key_stale);
    EXPECT_TRUE(t.settle(pass, PassEnd::doubt).is_key_stale);
    EXPECT_FALSE(t.settle(pass, PassEnd::release).is_key_stale);
    EXPECT_EQ(t.admit(kBoth).decision, Decision::new_);
}

TEST(Pass, AReleaseForgetsTheContentAndTheNextTokenIsLarger) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::release);
    const PassAnswer next = t.own({.key = "k1", .guard = "hello", .body = R"({"a":2})"});
    EXPECT_FALSE(next.takeover);
    EXPECT_GT(next.key->token, pass.key->token);
    EXPECT_GT(next.guard->token, pass.guard->token);
    EXPECT_TRUE(t.settle(pass, PassEnd::release).is_key_stale) << "it is the next one's";
    t.settle(next, PassEnd::release);
    t.advance(1min);
    EXPECT_EQ(t.prune_claims().count, 2) << "nothing is left of it";
    EXPECT_FALSE(t.has_key("k1"));
}

TEST(Pass, ADoubtIsUncertainAtOnceAndSaysWhy) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.decisions.clear();
    t.settle(pass, PassEnd::doubt);
    EXPECT_EQ(code_of(t.try_admit(kBoth)), ProblemCode::uncertain);
    EXPECT_EQ(code_of(t.try_admit({.guard = "hello"})), ProblemCode::uncertain);
    ASSERT_GE(t.decisions.size(), 1U);
    EXPECT_EQ(t.decisions[0].decision, Decision::uncertain);
    EXPECT_EQ(t.decisions[0].claim, pass.key->id);
    EXPECT_EQ(t.decisions[0].reason, "cut");
}

}  // namespace
}  // namespace semel
