// What users of fences rely on, on every store: who may, who did, and what is left of it.
#include <fmt/format.h>

#include "conformance/fence_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::string kPay = R"({"key":"pay-1","content":{"amount":5}})";
const std::string kPayOther = R"({"key":"pay-1","content":{"amount":7}})";
const std::string kReceipt = R"({ "n": 1.0 })";

class FenceBehaviour : public FenceConformance {};
INSTANTIATE_TEST_SUITE_P(Stores, FenceBehaviour, fence_stores(), name_of_store);

TEST_P(FenceBehaviour, IsNewOnceThenInFlightThenADuplicateWithTheSameBytes) {
    const Claim owned = own(kPay);
    EXPECT_EQ(decision(kPay), Decision::in_flight);
    const Claim sealed = done(seal(owned, "ch_1", kReceipt));
    EXPECT_EQ(row(owned.id), sealed);
    for (int i = 0; i < 3; ++i) {
        advance(1h);
        const FenceAnswer replay = claim(kPay);
        EXPECT_EQ(replay.decision, Decision::duplicate);
        EXPECT_EQ(*replay.claim, sealed);
        EXPECT_EQ(replay.claim->receipt->body, kReceipt);
    }
}

TEST_P(FenceBehaviour, OfManyInOneCommitOneIsNew) {
    const auto replies = driver.run(command(kPay), command(kPay), command(kPay));
    const auto decision_of = [](const Reply<ClaimFence>& reply) {
        return std::get<FenceAnswer>(std::get<ClaimFence::Outcome>(reply)).decision;
    };
    EXPECT_EQ(decision_of(std::get<0>(replies)), Decision::new_);
    EXPECT_EQ(decision_of(std::get<1>(replies)), Decision::in_flight);
    EXPECT_EQ(decision_of(std::get<2>(replies)), Decision::in_flight);
}

TEST_P(FenceBehaviour, IsClaimedAndSealedInOneCommit) {
    const Claim owned = own(R"({"key":"a"})");
    const auto replies = driver.run(
        CallFence{"default", {.claim = owned.id, .token = owned.token, .effect_id = "e"}},
        command(R"({"key":"a"})"), command(R"({"key":"b","content":1})"));
    const auto& met = std::get<ClaimFence::Outcome>(std::get<1>(replies));
    EXPECT_EQ(std::get<FenceAnswer>(met).decision, Decision::duplicate);
    EXPECT_EQ(decision(R"({"key":"b","content":1})"), Decision::in_flight);
}

TEST_P(FenceBehaviour, OtherContentIsAConflictThatShowsTheFirst) {
    const Claim owned = own(kPay);
    for (int round = 0; round < 2; ++round) {
        const auto conflict = try_claim(kPayOther);
        ASSERT_EQ(code_of(conflict), ProblemCode::conflict);
        EXPECT_EQ(std::get<Problem>(conflict).diff_json,
                  R"([{"op":"replace","path":"/amount","value":7}])");
        if (round == 0) done(seal(owned));
    }
    EXPECT_EQ(decision(kPay), Decision::duplicate) << "nothing was changed";
}

TEST_P(FenceBehaviour, ACrashedOwnerIsReplacedAndItsLateSealIsRefused) {
    const Claim dead = own(kPay);
    advance(60s - 1ms);
    EXPECT_EQ(decision(kPay), Decision::in_flight);
    advance(1ms);
    const FenceAnswer next = claim(kPayOther);
    EXPECT_EQ(next.decision, Decision::new_);
    EXPECT_TRUE(next.takeover);
    EXPECT_GT(next.claim->token, dead.token);
    const std::optional<Claim> before = row(dead.id);
    EXPECT_EQ(code_of(seal(dead)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(release(dead)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(heartbeat(dead)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(mark_uncertain(dead)), ProblemCode::stale_token);
    EXPECT_EQ(row(dead.id), before) << "nothing was changed";
    // The second content is the first of its own hold.
    EXPECT_EQ(code_of(try_claim(kPay)), ProblemCode::conflict);
    EXPECT_EQ(done(seal(*next.claim, "ch_2")).effect->id, "ch_2");
}

TEST_P(FenceBehaviour, AHeartbeatKeepsOthersAwayAndALateSealIsAcceptedUntilSomebodyCame) {
    const Claim owned = own(kPay);
    advance(50s);
    done(heartbeat(owned));
    advance(59s);
    EXPECT_EQ(decision(kPay), Decision::in_flight);
    advance(1h);
    EXPECT_EQ(done(seal(owned)).state, ClaimState::sealed);
}

TEST_P(FenceBehaviour, ACallIsRepeatedWithTheSameAnswerAndNotWithAnother) {
    const Claim owned = own(kPay);
    const Claim sealed = done(seal(owned, "e", kReceipt));
    advance(1min);
    EXPECT_EQ(done(seal(owned, "e", kReceipt)), sealed);
    EXPECT_EQ(code_of(seal(owned, "other", kReceipt)), ProblemCode::conflict);
    EXPECT_EQ(code_of(release(owned)), ProblemCode::wrong_state);
    EXPECT_EQ(row(owned.id), sealed);
}

TEST_P(FenceBehaviour, AReleaseForgetsTheContentAndLetsTheNextOneIn) {
    const Claim owned = own(kPay);
    done(release(owned));
    EXPECT_EQ(done(release(owned)).state, ClaimState::free) << "repeated";
    const Claim next = own(kPayOther);
    EXPECT_GT(next.token, owned.token);
    const auto conflict = try_claim(kPay);
    ASSERT_EQ(code_of(conflict), ProblemCode::conflict);
    EXPECT_THAT(std::get<Problem>(conflict).diff_json, HasSubstr("\"value\":5"));
    // Without content, nothing of the earlier one is left to compare with.
    done(release(next));
    own(R"({"key":"pay-1"})");
    EXPECT_EQ(decision(kPay), Decision::in_flight);
}

TEST_P(FenceBehaviour, UncertainRefusesRequestsForEverUntilItIsResolved) {
    const Claim owned = own(kPay);
    done(mark_uncertain(owned));
    advance(500 * 24h);
    EXPECT_EQ(prune_claims().count, 0);
    EXPECT_EQ(code_of(try_claim(kPay)), ProblemCode::uncertain);
    EXPECT_EQ(code_of(seal(owned)), ProblemCode::wrong_state);
    const Claim sealed = done(resolve(owned, ClaimOutcome::sealed, "ch_1", kReceipt));
    EXPECT_GT(sealed.token, owned.token);
    EXPECT_EQ(*claim(kPay).claim, sealed);
    EXPECT_EQ(done(resolve(owned, ClaimOutcome::sealed, "ch_1", kReceipt)), sealed) << "repeated";
}

TEST_P(FenceBehaviour, UncertainThatDidNotHappenIsFreeAgain) {
    const Claim owned = own(kPay);
    done(mark_uncertain(owned));
    done(resolve(owned, ClaimOutcome::released));
    EXPECT_EQ(decision(kPayOther), Decision::new_);
    EXPECT_EQ(code_of(seal(owned)), ProblemCode::stale_token);
}

TEST_P(FenceBehaviour, ADeletedClaimIsNewWithALargerToken) {
    const Claim owned = own(kPay);
    done(seal(owned, "ch_1"));
    const Claim freed = done(delete_claim(owned.id));
    EXPECT_EQ(freed.state, ClaimState::free);
    const Claim next = own(kPayOther);
    EXPECT_GT(next.token, freed.token);
    EXPECT_EQ(next.effect->previous->effect_id, "ch_1");
    EXPECT_EQ(code_of(delete_claim(owned.id, "other")), ProblemCode::not_found);
}

TEST_P(FenceBehaviour, WhatWasSealedLeavesATombstoneThatOutlivesItsBody) {
    const Claim owned = own(kPay);
    const Claim sealed = done(seal(owned, "ch_1", kReceipt));
    advance(48h - 1ms);
    EXPECT_EQ(prune_claims().count, 0);
    advance(1ms);
    EXPECT_EQ(prune_claims().count, 1);
    const auto tombstone = row(owned.id);
    ASSERT_TRUE(tombstone.has_value());
    EXPECT_EQ(tombstone->state, ClaimState::free);
    EXPECT_EQ(tombstone->receipt, std::nullopt);
    EXPECT_EQ(tombstone->fingerprint, std::nullopt);
    EXPECT_EQ(tombstone->effect->previous->effect_id, "ch_1");
    EXPECT_EQ(tombstone->effect->previous->sealed_at, sealed.effect->sealed_at);
    advance(400 * 24h - 1ms);
    EXPECT_EQ(prune_claims().count, 0);
    advance(1ms);
    EXPECT_EQ(prune_claims().count, 1);
    EXPECT_EQ(row(owned.id), std::nullopt);
    const Claim again = own(kPay);
    EXPECT_GT(again.token, owned.token) << "also after the row is gone";
    EXPECT_EQ(again.effect->previous, std::nullopt);
}

TEST_P(FenceBehaviour, ExpiryIsJudgedByNowAndNotByASweeper) {
    done(seal(own(kPay), "ch_1"));
    advance(48h);
    const FenceAnswer next = claim(kPayOther);
    EXPECT_EQ(next.decision, Decision::new_);
    EXPECT_FALSE(next.takeover);
    EXPECT_EQ(next.claim->effect->previous->effect_id, "ch_1");
}

TEST_P(FenceBehaviour, WhatNobodySealedGoes) {
    const Claim owned = own(kPay);
    advance(30 * 24h);
    EXPECT_EQ(prune_claims().count, 1);
    EXPECT_EQ(row(owned.id), std::nullopt);
    EXPECT_EQ(prune_claims().count, 0);
    own(kPayOther);
}

TEST_P(FenceBehaviour, ManyLiveAndEndBesideOneAnother) {
    std::vector<Claim> owned;
    owned.reserve(60);
    for (int i = 0; i < 60; ++i) {
        owned.push_back(own(fmt::format(R"({{"key":"k{0}","content":{0}}})", i)));
    }
    for (int i = 0; i < 60; ++i) {
        if (i % 3 == 0) done(seal(owned[static_cast<std::size_t>(i)], fmt::format("e{}", i)));
        if (i % 3 == 1) done(release(owned[static_cast<std::size_t>(i)]));
    }
    advance(10s);
    for (int i = 0; i < 60; ++i) {
        const Decision expected = i % 3 == 0   ? Decision::duplicate
                                  : i % 3 == 1 ? Decision::new_
                                               : Decision::in_flight;
        EXPECT_EQ(decision(fmt::format(R"({{"key":"k{0}","content":{0}}})", i)), expected) << i;
    }
    advance(500 * 24h);
    while (prune_claims().more) {
    }
    prune_claims();
    for (const Claim& claim : owned) EXPECT_EQ(row(claim.id), std::nullopt);
}

TEST_P(FenceBehaviour, RepeatsAreCountedOnTheirClaims) {
    const Claim owned = own(kPay);
    done(seal(owned));
    run(CountRepeats{{{owned.id, owned.token, 3}, {hash_of(1), owned.token, 5}}});
    run(CountRepeats{{{owned.id, owned.token, 4}}});
    EXPECT_EQ(row(owned.id)->repeats, 7);
}

// They were told of what somebody has deleted meanwhile.
TEST_P(FenceBehaviour, RepeatsOfAnEarlierOwnerAreNotCountedOnTheNext) {
    const Claim first = own(kPay);
    done(seal(first, "e1"));
    done(delete_claim(first.id));
    run(CountRepeats{{{first.id, first.token, 3}}});
    EXPECT_EQ(row(first.id)->repeats, 0);
    const Claim second = own(kPay);
    done(seal(second, "e2"));
    run(CountRepeats{{{first.id, first.token, 3}, {second.id, second.token, 2}}});
    EXPECT_EQ(row(second.id)->repeats, 2);
}

// Rule 3: until somebody claims the key, whatever its time.
TEST_P(FenceBehaviour, ASealIsRepeatedAlikeAfterItsTime) {
    const Claim owned = own(kPay);
    const Claim sealed = done(seal(owned, "e1", R"({"n":1})"));
    advance(48h);
    EXPECT_EQ(done(seal(owned, "e1", R"({"n":1})")), sealed);
    EXPECT_EQ(code_of(seal(owned, "e1", R"({"n":2})")), ProblemCode::conflict);
    EXPECT_EQ(prune_claims().count, 1);
    EXPECT_EQ(code_of(seal(owned, "e1", R"({"n":1})")), ProblemCode::wrong_state);
    own(kPay);
    EXPECT_EQ(code_of(seal(owned, "e1", R"({"n":1})")), ProblemCode::stale_token);
}

TEST_P(FenceBehaviour, TheLogNamesWhatAFenceLedTo) {
    if (store->info().kind == "redis") {
        GTEST_SKIP() << "it has no log: a node writes these lines to the main store";
    }
    const Claim owned = own(kPay);
    done(seal(owned, "ch_1"));
    (void)try_claim(kPayOther);
    const auto lines = driver.list_decisions("default");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].entry.decision, Decision::conflict);
    EXPECT_EQ(lines[0].entry.effect, "ch_1");
    EXPECT_EQ(lines[1].entry.decision, Decision::new_);
}

}  // namespace
}  // namespace semel::test
