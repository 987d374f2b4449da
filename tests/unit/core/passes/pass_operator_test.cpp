// What operators do with passes, and what the decision log says of them.
#include <gmock/gmock.h>

#include "core/keys/story.hpp"
#include "support/pass_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Asked;
using test::code_of;
using test::kBoth;
using test::PassTable;

FoundAnswer found(const std::string& body) {
    return {.status = 202,
            .headers = {{"location", "/m/1"}},
            .body = std::make_shared<const std::string>(body)};
}

// ---- resolve ----------------------------------------------------------------------------------

TEST(PassResolve, SealsBothClaimsWithTheAnswerThatWasFound) {
    for (const bool lease_is_over : {false, true}) {
        for (const bool names_guard : {false, true}) {
            PassTable t;
            const PassAnswer pass = t.send(kBoth);
            if (lease_is_over) {
                t.advance(PassTable::kLease);
            } else {
                t.settle(pass, PassEnd::doubt);
            }
            const Claim& named = names_guard ? *pass.guard : *pass.key;
            ASSERT_EQ(code_of(t.resolve(named, ClaimOutcome::sealed, found("yes"))), std::nullopt);
            const PassAnswer by_key = t.admit(kBoth);
            EXPECT_EQ(by_key.decision, Decision::duplicate);
            EXPECT_EQ(by_key.key->effect->pass->answer->status, 202);
            EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::duplicate);
            EXPECT_EQ(t.response(pass.key->effect->pass->effect), "yes");
            EXPECT_GT(by_key.key->token, pass.key->token);
            EXPECT_TRUE(t.settle(pass, PassEnd::seal).is_key_stale) << "a late owner";
            EXPECT_TRUE(t.settle(pass, PassEnd::seal).is_guard_stale);
        }
    }
}

TEST(PassResolve, SealsWithoutABodyIfNoneWasFound) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::doubt);
    t.resolve(*pass.key, ClaimOutcome::sealed);
    const PassAnswer replay = t.admit(kBoth);
    EXPECT_EQ(replay.decision, Decision::duplicate);
    EXPECT_FALSE(replay.key->effect->pass->answer->has_body);
    EXPECT_EQ(replay.key->effect->id, pass.key->effect->id);
}

TEST(PassResolve, ReleasesBothClaims) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::doubt);
    t.resolve(*pass.guard, ClaimOutcome::released);
    EXPECT_TRUE(t.settle(pass, PassEnd::seal).is_key_stale);
    const PassAnswer next = t.own(kBoth);
    EXPECT_GT(next.key->token, pass.key->token);
    EXPECT_GT(next.guard->token, pass.guard->token);
}

TEST(PassResolve, IsRepeatedAndRefusedWithOtherWords) {
    PassTable t;
    const PassAnswer pass = t.send({.key = "k1"});
    t.settle(pass, PassEnd::doubt);
    const auto first = t.resolve(*pass.key, ClaimOutcome::sealed, found("yes"));
    const auto again = t.resolve(*pass.key, ClaimOutcome::sealed, found("yes"));
    EXPECT_EQ(std::get<Claim>(again), std::get<Claim>(first));
    EXPECT_EQ(code_of(t.resolve(*pass.key, ClaimOutcome::sealed, found("no"))),
              ProblemCode::conflict);
}

TEST(PassResolve, IsRefusedWhileItsRequestRunsOrIfTheTwinIsAnother) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    EXPECT_EQ(code_of(t.resolve(*pass.key, ClaimOutcome::released)), ProblemCode::wrong_state);
    t.settle(pass, PassEnd::doubt);
    ResolveClaim command{.tenant = "default", .claim = pass.key->id, .reason = "r"};
    command.outcome = ClaimOutcome::released;
    EXPECT_EQ(code_of(t.run(command)), ProblemCode::conflict);
    command.twin = pass.key->id;
    EXPECT_EQ(code_of(t.run(command)), ProblemCode::conflict);
    EXPECT_EQ(t.claim(pass.key->id)->state, ClaimState::uncertain);
}

TEST(PassResolve, LeavesAGuardAloneThatAnotherRequestHas) {
    PassTable t;
    const PassAnswer first = t.send(kBoth);
    t.settle(first, PassEnd::doubt);
    t.advance(PassTable::kWindow);
    const PassAnswer second = t.send({.guard = "hello"});
    t.settle(second, PassEnd::doubt);
    t.resolve(*first.key, ClaimOutcome::released);
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::new_);
    EXPECT_EQ(t.claim(second.guard->id)->state, ClaimState::uncertain);
}

TEST(PassResolve, AKeyPastItsTtlIsRememberedForAnother) {
    PassTable t;
    const PassAnswer pass = t.send({.key = "k1"});
    t.advance(100 * 24h);
    t.resolve(*pass.key, ClaimOutcome::sealed, found("yes"));
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::duplicate);
}

// ---- delete -----------------------------------------------------------------------------------

TEST(PassDelete, FreesTheNamedClaimOnly) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::seal);
    const Claim freed = t.erase(*pass.key);
    EXPECT_GT(freed.token, pass.key->token);
    EXPECT_EQ(t.admit({.guard = "hello"}).decision, Decision::duplicate);
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::new_);
}

TEST(PassDelete, TheBodyGoesWithTheLastOfTwoTwins) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::seal);
    const Uuid response = pass.key->effect->pass->effect;
    t.erase(*pass.key);
    EXPECT_EQ(t.response(response), "sent");
    t.erase(*pass.guard);
    EXPECT_EQ(t.response(response), std::nullopt);
}

TEST(PassDelete, TheBodyStaysIfTheTwinIsNotNamed) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::seal);
    t.erase(*pass.key, false);
    t.erase(*pass.guard, false);
    EXPECT_EQ(t.response(pass.key->effect->pass->effect), "sent");
}

TEST(PassDelete, TheBodyOfAClaimAloneGoesWithItButNotABorrowedOne) {
    PassTable t;
    const PassAnswer pass = t.send({.guard = "hello"});
    t.settle(pass, PassEnd::seal);
    const PassAnswer borrowed = t.admit({.key = "k2", .guard = "hello"});
    t.erase(*borrowed.key);
    const Uuid response = pass.guard->effect->pass->effect;
    EXPECT_EQ(t.response(response), "sent");
    t.erase(*pass.guard);
    EXPECT_EQ(t.response(response), std::nullopt);
}

// ---- bodies -----------------------------------------------------------------------------------

TEST(PassResponse, IsPrunedWhenTheLastClaimThatRefersToItExpires) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::seal);
    const Uuid response = pass.key->effect->pass->effect;
    t.advance(PassTable::kTtl - 1ms);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(PruneResponses{})).count, 0);
    t.advance(1ms);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(PruneResponses{})).count, 1);
    EXPECT_EQ(t.response(response), std::nullopt);
}

// ---- the decision log -------------------------------------------------------------------------

TEST(PassLog, HasOneEntryForBothClaims) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    ASSERT_EQ(t.decisions.size(), 1U);
    const DecisionEntry& entry = t.decisions[0];
    EXPECT_EQ(entry.surface, "gateway");
    EXPECT_EQ(entry.type, "message.api");
    EXPECT_EQ(entry.decision, Decision::new_);
    EXPECT_EQ(entry.rule, "first");
    EXPECT_EQ(entry.claim, pass.key->id);
    EXPECT_EQ(entry.other_claim, pass.guard->id);
    EXPECT_EQ(entry.key, pass.key->full_key);
    EXPECT_EQ(entry.effect_id, pass.key->effect->pass->effect);
    EXPECT_EQ(entry.token, pass.key->token);
    t.settle(pass, PassEnd::seal);
    EXPECT_EQ(t.decisions.size(), 1U) << "a seal is no decision";
}

TEST(PassLog, CountsARepeatAtTheClaimThatAnswered) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    t.settle(pass, PassEnd::seal);
    t.admit(kBoth);
    t.admit({.key = "k2", .guard = "hello"});
    t.admit({.guard = "hello", .principal = "bob"});
    ASSERT_EQ(t.repeats.size(), 3U);
    EXPECT_EQ(t.repeats[0].claim, pass.key->id);
    EXPECT_EQ(t.repeats[0].rule, "sealed");
    EXPECT_EQ(t.repeats[1].claim, pass.guard->id);
    EXPECT_EQ(t.repeats[2].rule, "foreign");
}

TEST(PassLog, DoesNotRecordARequestThatWaits) {
    PassTable t;
    t.send(kBoth);
    Asked waiting = kBoth;
    waiting.wait = 3s;
    EXPECT_EQ(t.admit(waiting).decision, Decision::in_flight);
    EXPECT_TRUE(t.repeats.empty());
    t.admit(kBoth);
    EXPECT_EQ(t.repeats.size(), 1U);
}

TEST(PassLog, UpkeepRecordsOneDoubtForAPass) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    const PassAnswer alone = t.send({.guard = "other"});
    t.decisions.clear();
    t.advance(PassTable::kLease);
    t.prune_claims();
    ASSERT_EQ(t.decisions.size(), 2U);
    for (const DecisionEntry& entry : t.decisions) {
        EXPECT_EQ(entry.decision, Decision::uncertain);
        EXPECT_EQ(entry.rule, "lease_over");
        EXPECT_TRUE(entry.claim == pass.key->id || entry.claim == alone.guard->id);
    }
}

TEST(PassLog, AStoryOfTheGuardHasTheEntriesOfItsKey) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    Story story(*pass.guard, t.now);
    story.hear(t.decisions[0]);
    EXPECT_EQ(story.entries().size(), 1U);
    EXPECT_EQ(story.winner(), pass.key->effect->id);
}

TEST(PassLog, ACallOfAFenceDoesNotMeetAPass) {
    PassTable t;
    const PassAnswer pass = t.send(kBoth);
    const CallFence call{"default",
                         {.claim = pass.key->id, .token = pass.key->token, .effect_id = "e"}};
    EXPECT_EQ(code_of(t.run(call)), ProblemCode::not_found);
}

}  // namespace
}  // namespace semel
