// How long fences are remembered, how operators free them, and what the log says.
#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::done;
using test::FenceTable;

const std::string kAmount = R"({"key":"k","content":{"amount":5}})";
const std::string kOther = R"({"key":"k","content":{"amount":7}})";

// ---- expiry -----------------------------------------------------------------------------------

TEST(FenceRetention, IsJudgedByNowWhetherOrNotASweeperCame) {
    for (const bool is_swept : {false, true}) {
        SCOPED_TRACE(is_swept);
        FenceTable t;
        const Claim owned = t.own(kAmount);
        const Time sealed_at = t.now;
        done(t.seal(owned, "e1", "1"));
        t.advance(48h - 1ms);
        EXPECT_EQ(t.decision(kAmount), Decision::duplicate);
        t.advance(1ms);
        if (is_swept) {
            EXPECT_EQ(t.prune_claims().count, 1);
        }
        const FenceAnswer again = t.claim(kOther);
        ASSERT_EQ(again.decision, Decision::new_);
        EXPECT_FALSE(again.takeover);
        EXPECT_GT(again.claim->token, owned.token);
        ASSERT_TRUE(again.claim->effect->previous.has_value());
        EXPECT_EQ(again.claim->effect->previous->effect_id, "e1");
        EXPECT_EQ(again.claim->effect->previous->sealed_at, sealed_at);
        EXPECT_FALSE(again.claim->receipt.has_value());
    }
}

// Nobody took over: the repeat of what ended it is told the same while it can be, and then the
// truth.
TEST(FenceRetention, TheCallThatEndedAHoldIsRepeatedAlikeUntilTheKeyIsClaimed) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    const Claim sealed = done(t.seal(owned, "e1", R"({"a":1,"b":2})"));
    t.advance(48h);
    EXPECT_EQ(done(t.seal(owned, "e1", R"({"b":2,"a":1})")), sealed);
    EXPECT_EQ(code_of(t.seal(owned, "e2")), ProblemCode::conflict);
    EXPECT_EQ(code_of(t.release(owned)), ProblemCode::wrong_state);
    EXPECT_EQ(t.row(owned.id), sealed) << "nothing is changed by that";

    EXPECT_EQ(t.prune_claims().count, 1);
    const auto forgotten = t.seal(owned, "e1", R"({"a":1,"b":2})");
    ASSERT_EQ(code_of(forgotten), ProblemCode::wrong_state);
    EXPECT_EQ(std::get<Problem>(forgotten).claim_state, "free");
    EXPECT_NE(std::get<Problem>(forgotten).detail.find("its time is over"), std::string::npos);

    t.own(kAmount);
    EXPECT_EQ(code_of(t.seal(owned, "e1", R"({"a":1,"b":2})")), ProblemCode::stale_token);
}

TEST(FenceRetention, ARepeatedResolutionIsAnsweredAlikeAfterItsTimeToo) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    done(t.mark_uncertain(owned));
    const Claim resolved = done(t.resolve(owned, ClaimOutcome::sealed, "e1"));
    t.advance(48h);
    EXPECT_EQ(done(t.resolve(owned, ClaimOutcome::sealed, "e1")), resolved);
    EXPECT_EQ(code_of(t.resolve(owned, ClaimOutcome::sealed, "e2")), ProblemCode::conflict);
    EXPECT_EQ(t.prune_claims().count, 1);
    EXPECT_EQ(code_of(t.resolve(owned, ClaimOutcome::sealed, "e1")), ProblemCode::wrong_state);
}

TEST(FenceRetention, ATombstoneIsSmallAndLives400Days) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    done(t.seal(owned, "e1", R"({"long":"receipt"})"));
    t.advance(48h);
    EXPECT_EQ(t.prune_claims().count, 1);
    EXPECT_EQ(t.prune_claims().count, 0);
    const auto tombstone = t.row(owned.id);
    ASSERT_TRUE(tombstone.has_value());
    EXPECT_EQ(tombstone->state, ClaimState::free);
    EXPECT_FALSE(tombstone->receipt || tombstone->fingerprint || tombstone->effect->has_content);
    t.advance(400 * 24h - 1ms);
    EXPECT_EQ(t.prune_claims().count, 0);
    t.advance(1ms);
    EXPECT_EQ(t.prune_claims().count, 1);
    EXPECT_FALSE(t.row(owned.id).has_value());
    EXPECT_FALSE(t.own(kAmount).effect->previous.has_value());
}

TEST(FenceRetention, WhatWasSealedBeforeIsShownUntilTheNextSeal) {
    FenceTable t;
    done(t.seal(t.own(kAmount), "e1"));
    t.advance(48h);
    done(t.release(t.own(kAmount)));
    t.advance(8 * 24h);
    EXPECT_EQ(t.prune_claims().count, 1);
    const Claim third = t.own(kAmount);
    ASSERT_TRUE(third.effect->previous.has_value());
    EXPECT_EQ(third.effect->previous->effect_id, "e1");
    t.advance(60s);
    const Claim fourth = t.own(kAmount);  // a takeover
    EXPECT_EQ(fourth.effect->previous->effect_id, "e1");
    EXPECT_FALSE(done(t.seal(fourth, "e2")).effect->previous.has_value());
}

TEST(FenceRetention, WhatNobodySealedGoesAWeekAfterItsLease) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    t.advance(60s + 7 * 24h - 1ms);
    EXPECT_EQ(t.prune_claims().count, 0);
    EXPECT_TRUE(t.claim(kAmount).takeover);
    t.advance(60s + 8 * 24h);
    EXPECT_FALSE(t.claim(kAmount).takeover);  // as if it had been pruned
    t.advance(60s + 8 * 24h);
    const auto before = t.decisions.size();
    EXPECT_EQ(t.prune_claims().count, 1);
    ASSERT_EQ(t.decisions.size(), before + 1);
    EXPECT_EQ(t.decisions.back().decision, Decision::takeover);
    EXPECT_EQ(t.decisions.back().rule, "abandoned");
    EXPECT_FALSE(t.row(owned.id).has_value());
}

TEST(FenceRetention, HeartbeatsKeepARowWithoutMovingItsExpiryEachTime) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    int moves = 0;
    Time expires_at = *owned.expires_at;
    for (int hour = 0; hour < 24 * 30; ++hour) {
        const Claim beaten = done(t.heartbeat(owned, 2h));
        EXPECT_GE(*beaten.expires_at, beaten.effect->lease_until + 7 * 24h);
        moves += *beaten.expires_at != expires_at ? 1 : 0;
        expires_at = *beaten.expires_at;
        t.advance(1h);
    }
    EXPECT_LE(moves, 31);
    EXPECT_EQ(t.prune_claims().count, 0);
}

TEST(FenceRetention, ClassesAndOptionsSetIt) {
    FenceTable t;
    int round = 0;
    const auto kept = [&](const std::string& more) {
        const Claim owned = t.own(R"({"parts":{"sourceType":"stripe","revision":)" +
                                  std::to_string(++round) + "}" + more + "}");
        return *done(t.seal(owned)).expires_at - t.now;
    };
    EXPECT_EQ(kept(""), 48h);
    EXPECT_EQ(kept(R"(,"class":"webhook")"), 14 * 24h);
    EXPECT_EQ(kept(R"(,"class":"batch")"), 3 * 24h);
    EXPECT_EQ(kept(R"(,"class":"batch","runWindowSeconds":3600)"), 3 * 24h);
    EXPECT_EQ(kept(R"(,"class":"batch","runWindowSeconds":432000)"), 6 * 24h);
    EXPECT_EQ(kept(R"(,"class":"webhook","ttlSeconds":1)"), 1s);
    t.settings.fences.webhook.ttl = 24h;
    EXPECT_EQ(kept(R"(,"class":"webhook")"), 6 * 24h);  // twice Stripe's horizon
}

// ---- an operator's deletion -------------------------------------------------------------------

TEST(DeletedClaim, IsFreeWithALargerTokenAndLeavesATrace) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    const Claim freed = done(t.delete_claim(owned.id));
    EXPECT_GT(freed.token, owned.token);
    EXPECT_EQ(t.decisions.back().decision, Decision::resolved);
    EXPECT_EQ(t.decisions.back().rule, "deleted");
    EXPECT_EQ(t.decisions.back().reason, "wrong");
    EXPECT_EQ(code_of(t.seal(owned)), ProblemCode::stale_token);
    const auto lines = t.decisions.size();
    EXPECT_EQ(done(t.delete_claim(owned.id)), freed);
    EXPECT_EQ(t.decisions.size(), lines);
    const Claim next = t.own(kOther);  // the content is forgotten
    EXPECT_GT(next.token, freed.token);
    done(t.seal(next, "e1"));
    done(t.delete_claim(next.id));
    EXPECT_EQ(t.own(kAmount).effect->previous->effect_id, "e1");
    EXPECT_EQ(code_of(t.delete_claim(sha256("nobody"))), ProblemCode::not_found);
}

TEST(DeletedClaim, FreesTheKeyOfAnActionAndOfAChain) {
    FenceTable t;
    const std::string request =
        R"({"type":"a","payload":1,"deduplication":{"key":"k","scope":"any","windowSeconds":60}})";
    const ScheduledAction first = t.schedule(request);
    EXPECT_EQ(t.schedule(request).decision, Decision::duplicate);
    const ClaimId claim = *t.job(first.action.job.id).claim;
    const Claim freed = done(t.delete_claim(claim));
    EXPECT_EQ(t.decisions.back().effect_id, first.action.job.id);
    const ScheduledAction second = t.schedule(request);
    EXPECT_EQ(second.decision, Decision::new_);
    EXPECT_NE(second.action.job.id, first.action.job.id);
    EXPECT_GT(t.row(claim)->token, freed.token);
    // The first one goes its way.
    EXPECT_EQ(t.take({"a"}, 2).size(), 2U);
}

TEST(DeletedClaim, OfAnActionIsPrunedLikeAnyOther) {
    FenceTable t;
    const ScheduledAction action =
        t.schedule(R"({"type":"a","payload":1,"deduplication":{"key":"k","windowSeconds":60}})");
    const ClaimId claim = *t.job(action.action.job.id).claim;
    done(t.delete_claim(claim));
    test::ok(t.complete(t.take_one("a")));
    t.advance(7 * 24h);
    EXPECT_EQ(t.prune().count, 1);
    EXPECT_EQ(t.prune_claims().count, 1);
    EXPECT_FALSE(t.row(claim).has_value());
}

// ---- the decision log -------------------------------------------------------------------------

std::vector<std::string> entries_of(const std::vector<DecisionEntry>& entries) {
    std::vector<std::string> lines;
    for (const DecisionEntry& entry : entries) {
        lines.push_back(std::string(to_string(entry.decision)) + " " + entry.rule + " " +
                        entry.effect);
    }
    return lines;
}

TEST(FenceTrace, EveryDecisionHasAnEntryAndRepeatsAreSummed) {
    FenceTable t;
    const Claim first = t.own(kAmount);
    t.claim(kAmount);
    EXPECT_EQ(code_of(t.try_claim(kOther)), ProblemCode::conflict);
    t.advance(60s);
    const Claim second = t.own(kAmount);
    done(t.mark_uncertain(second));
    EXPECT_EQ(code_of(t.try_claim(kAmount)), ProblemCode::uncertain);
    done(t.resolve(second, ClaimOutcome::sealed, "e1"));
    t.claim(kAmount);
    const std::vector<std::string> expected = {
        "new first ",       "conflict content ",     "takeover lease_over ", "new lease_over ",
        "uncertain owner ", "uncertain unresolved ", "resolved sealed e1"};
    EXPECT_EQ(entries_of(t.decisions), expected);
    EXPECT_EQ(entries_of(t.repeats),
              (std::vector<std::string>{"in_flight leased ", "duplicate sealed e1"}));
    for (const DecisionEntry& entry : t.decisions) {
        EXPECT_EQ(entry.surface, "fences");
        EXPECT_EQ(entry.claim, first.id);
        EXPECT_EQ(entry.key, R"(["k"])");
        EXPECT_EQ(entry.tenant, "default");
    }
}

TEST(FenceTrace, AStaleVersionHasAnEntryWithItsSource) {
    FenceTable t;
    const auto version = [](int number) {
        return R"({"class":"webhook","parts":{"sourceType":"cms","sourceId":7,"revision":)" +
               std::to_string(number) + R"(},"version":)" + std::to_string(number) + "}";
    };
    done(t.seal(t.own(version(2))));
    EXPECT_EQ(t.decision(version(1)), Decision::stale);
    const DecisionEntry& line = t.decisions.back();
    EXPECT_EQ(line.decision, Decision::stale);
    EXPECT_EQ(line.type, "webhook");
    EXPECT_EQ(line.source_type + " " + line.source_id, "cms 7");
}

// One document may be ingested and mailed: two keys that are right. Another revision of the same
// content is none.
TEST(FenceTrace, WhatIsDoneWithAContentBelongsToWhatANearMissIs) {
    FenceTable t;
    const auto about = [&](const std::string& parts) {
        t.own(R"({"parts":{"sourceType":"doc",)" + parts + R"(},"content":{"text":"hello"}})");
        return t.decisions.back().content;
    };
    const auto ingest = about(R"("sourceId":1,"action":"ingest")");
    ASSERT_TRUE(ingest.has_value());
    EXPECT_NE(about(R"("sourceId":1,"action":"mail")"), ingest);
    EXPECT_EQ(about(R"("sourceId":1,"action":"ingest","revision":"12:00:01")"), ingest);
    EXPECT_EQ(about(R"("sourceId":2,"action":"ingest")"), ingest);
}

TEST(FenceTrace, CountedRepeatsStandOnTheClaim) {
    FenceTable t;
    const Claim owned = t.own(kAmount);
    done(t.seal(owned));
    const auto counted = std::get<UpkeepOutcome>(t.run(CountRepeats{
        {{owned.id, owned.token, 40}, {sha256("gone"), owned.token, 3}, {owned.id, Token{1}, 5}}}));
    EXPECT_EQ(counted.count, 1);
    t.run(CountRepeats{{{owned.id, owned.token, 2}}});
    EXPECT_EQ(t.row(owned.id)->repeats, 42);
    EXPECT_EQ(t.claim(kAmount).claim->repeats, 42);
    t.advance(48h);
    const CountRepeats late{{{owned.id, owned.token, 1}}};
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(late)).count, 0);
    EXPECT_EQ(t.own(kAmount).repeats, 0);
}

TEST(FenceTrace, AClaimIsFoundByItsKeyAsItWasWritten) {
    FenceTable t;
    t.own(R"({"key":"a\"b"})");
    t.own(R"({"key":"a"})");
    t.schedule(R"({"type":"mail","deduplication":{"key":"a\"b"}})");
    const auto find = [&](std::optional<std::string> space, const std::string& key) {
        std::vector<Claim> found;
        t.reads().find_claims("default", std::move(space), key, 10,
                              [&](auto claims) { found = std::move(*claims); });
        return found.size();
    };
    EXPECT_EQ(find("fences", "a\"b"), 1U);
    EXPECT_EQ(find(std::nullopt, "a\"b"), 2U);
    EXPECT_EQ(find("fences", "b"), 0U);
}

}  // namespace
}  // namespace semel
