// Occurrences that are run or cancelled before their time: which slots are had then, and which
// come.
#include "support/recurring.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ok;

class EarlySlots : public test::Recurring {};

TEST_F(EarlySlots, ARollingOneThatIsRunBeforeItsTimeCountsFromItsEnd) {
    put(R"({"type":"a","every":"P30D","recurrenceType":"rolling","startAt":"2027-06-01T00:00:00Z"})");
    run_early();
    EXPECT_EQ(slot(), t.now + 24h * 30);
    put(R"({"type":"a","cron":"0 0 1 * *","recurrenceType":"rolling","startAt":"2027-06-01T00:00:00Z"})",
        "c");
    run_early("c");
    EXPECT_EQ(slot("c"), at("2026-04-01T00:00:00Z"));
}

TEST_F(EarlySlots, ARollingOneThatEndsBeforeItsTimeGivesItsSlotBack) {
    put(R"({"type":"a","cron":"0 13 * * *","recurrenceType":"rolling"})");
    const Time one = at("2026-03-01T13:00:00Z");
    const JobId first = *schedule().current;
    const JobId second = cancel();  // at 12:00
    EXPECT_EQ(slot(), one);
    EXPECT_EQ(t.job(first).occurrence->slot, t.now);
    cancel();  // in the same millisecond
    EXPECT_EQ(slot(), one);
    EXPECT_EQ(t.job(second).occurrence->slot, t.now + 1ms);
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), at("2026-03-02T13:00:00Z"));
}

TEST_F(EarlySlots, AnotherCronRuleGoesOnAfterNowThoughALaterSlotIsSpent) {
    for (const char* rule :
         {R"("cron":"0 0 1 1 *")", R"("every":"P300D","startAt":"2027-01-01T00:00:00Z")"}) {
        put(std::string(R"({"type":"a",)") + rule + "}", rule);
        run_early(rule);
        put(R"({"type":"a","cron":"30 * * * *"})", rule);
        EXPECT_EQ(slot(rule), at("2026-03-01T12:30:00Z")) << rule;
        EXPECT_EQ(schedule(rule).last_slot, std::nullopt) << "none has come";
    }
}

TEST_F(EarlySlots, AnEditWhileTheEarlyRunRunsGoesOnAfterItsSlotAndTheNextEditAfterNow) {
    put(R"({"type":"a","cron":"0 0 1 1 *"})");
    t.operate(Operation::run_now, *schedule().current);
    const TakenJob job = t.take_one("a");
    put(R"({"type":"a","cron":"0 * * * *"})");
    ok(t.complete(job));
    EXPECT_EQ(slot(), at("2027-01-01T01:00:00Z")) << "fixed: from its slot";
    put(R"({"type":"a","cron":"0 */2 * * *"})");
    EXPECT_EQ(slot(), at("2026-03-01T14:00:00Z"));
}

TEST_F(EarlySlots, AnotherIntervalCountsFromTheLastSlotThatHasCome) {
    const Time start = t.now;
    put(R"({"type":"a","every":"PT1H"})");
    ok(t.complete(take_due()));
    cancel();  // that of 13:00
    cancel();
    EXPECT_EQ(slot(), start + 3h);
    t.advance(10min);
    put(R"({"type":"a","every":"PT40M"})");
    EXPECT_EQ(slot(), start + 40min);
    put(R"({"type":"a","every":"PT5M"})");
    EXPECT_EQ(slot(), t.now) << "at least now";
}

TEST_F(EarlySlots, ASpentSlotIsNotHadAgain) {
    put(R"({"type":"a","cron":"0 * * * *"})");
    ASSERT_EQ(slot(), at("2026-03-01T13:00:00Z"));
    run_early();
    cancel();  // that of 14:00
    put(R"({"type":"a","cron":"*/30 * * * *"})");
    EXPECT_EQ(slot(), at("2026-03-01T12:30:00Z"));
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), at("2026-03-01T13:30:00Z")) << "13:00 is spent, but not what follows";
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), at("2026-03-01T14:30:00Z")) << "14:00 is spent";
    EXPECT_FALSE(schedule().spent.is_empty());
    ok(t.complete(take_due()));
    EXPECT_TRUE(schedule().spent.is_empty()) << "the line is behind them";
    put(R"({"type":"a","cron":"0 15 * * *"})");
    EXPECT_EQ(slot(), at("2026-03-01T15:00:00Z"));
}

TEST_F(EarlySlots, TwoSlotsThatLieFarAheadSilenceNothingBetweenThem) {
    put(R"({"type":"a","cron":"0 0 2 3 *"})");
    cancel();  // tomorrow
    cancel();  // a year later
    put(R"({"type":"a","cron":"0 0 * * *"})");
    EXPECT_EQ(slot(), at("2026-03-03T00:00:00Z")) << "tomorrow was had";
    put(R"({"type":"a","cron":"30 1 * * *"})");
    EXPECT_EQ(slot(), at("2026-03-02T01:30:00Z"));
}

TEST_F(EarlySlots, AnotherIntervalHasEverySlotThatWasNotHad) {
    const Time start = t.now;
    put(R"({"type":"a","every":"P7D"})");
    ok(t.complete(take_due()));
    cancel();
    cancel();
    put(R"({"type":"a","every":"P3D"})");
    for (const int days : {3, 6, 9, 12, 15, 18}) {
        EXPECT_EQ(slot(), start + days * 24h);
        ok(t.complete(take_due()));
    }
    put(R"({"type":"a","every":"P1D"})");
    cancel();
    put(R"({"type":"a","every":"PT12H"})");
    EXPECT_EQ(slot(), start + 18 * 24h + 12h);
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), start + 19 * 24h + 12h) << "that of day 19 was had";
}

TEST_F(EarlySlots, ARollingRuleGoesOnAfterTheEndThoughSlotsBehindAreSpent) {
    put(R"({"type":"a","every":"PT4S"})");
    ok(t.complete(take_due()));
    for (int i = 0; i < 3; ++i) cancel();
    put(R"({"type":"a","every":"PT1S","recurrenceType":"rolling"})");
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), t.now + 1s);
}

TEST_F(EarlySlots, ASlotThatIsMissedDoesNotMoveToASpentOne) {
    put(R"({"type":"a","cron":"0 * * * *"})");
    run_early();  // 13:00
    put(R"({"type":"a","cron":"*/20 * * * *"})");
    ASSERT_EQ(slot(), at("2026-03-01T12:20:00Z"));
    t.now = at("2026-03-01T13:05:00Z");  // the latest is that of 13:00
    t.promote();
    EXPECT_EQ(slot(), at("2026-03-01T12:40:00Z"));
}

TEST_F(EarlySlots, AnEditDoesNotGoBackToASlotThatWasHad) {
    put(R"({"type":"a","cron":"0 * * * *"})");
    ASSERT_EQ(slot(), at("2026-03-01T13:00:00Z"));
    run_early();
    put(R"({"type":"a","cron":"0 13,15 * * *"})");
    EXPECT_EQ(slot(), at("2026-03-01T15:00:00Z"));
}

TEST_F(EarlySlots, WhatWasRunEarlyDoesNotBeginTheLineBeforeStartAt) {
    put(R"({"type":"a","every":"P1D","startAt":"2026-06-01T00:00:00Z"})");
    run_early();
    put(R"({"type":"a","every":"PT1H","startAt":"2026-06-01T00:00:00Z"})");
    EXPECT_EQ(slot(), at("2026-06-01T01:00:00Z")) << "that of the start is spent";
}

TEST_F(EarlySlots, AnotherStartAtWithTheSameRuleMovesNothing) {
    put(R"({"type":"a","cron":"0 * * * *"})");
    put(R"({"type":"a","cron":"0 * * * *","startAt":"2027-01-01T00:00:00Z"})");
    EXPECT_EQ(slot(), at("2026-03-01T13:00:00Z"));
    put(R"({"type":"a","cron":"30 * * * *","startAt":"2027-01-01T00:00:00Z"})");
    EXPECT_EQ(slot(), at("2027-01-01T00:00:00Z")) << "another rule, and no slot has come";
}

}  // namespace
}  // namespace semel
