#include "core/schedules/recurrence.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedules/rule_words.hpp"
#include "support/zones.hpp"

namespace semel {
namespace {

using testing::ElementsAre;

Time time_of(const std::string& text) {
    const auto time = parse_rfc3339(text);
    EXPECT_TRUE(time) << text;
    return time.value_or(Time());
}

Rule every(const std::string& text) {
    auto rule = Rule::every(text);
    EXPECT_TRUE(rule) << rule.error().message();
    return *rule;
}

Rule cron(const std::string& text, const std::string& zone = "UTC") {
    auto rule = Rule::cron(text, test::zone(zone));
    EXPECT_TRUE(rule) << rule.error().message();
    return *rule;
}

const Time kNoon = time_of("2026-06-01T12:00:00Z");
const Time kEnd = from_ms(kTimeMaxMs);

TEST(FirstSlot, IsStartAtElseNowElseTheNextMatch) {
    const Time later = kNoon + std::chrono::hours(5);
    EXPECT_EQ(first_slot(every("hourly"), later, kNoon), later);
    EXPECT_EQ(first_slot(cron("0 0 * * *"), later, kNoon), later);
    EXPECT_EQ(first_slot(every("hourly"), std::nullopt, kNoon), kNoon);
    EXPECT_EQ(first_slot(cron("0 12 * * *"), std::nullopt, kNoon), time_of("2026-06-02T12:00:00Z"));
}

TEST(NextSlot, FixedCountsFromTheSlotAndDoesNotDrift) {
    const Time late = kNoon + std::chrono::minutes(7);
    EXPECT_EQ(next_slot(every("hourly"), RecurrenceType::fixed, kNoon, late, kNoon),
              time_of("2026-06-01T13:00:00Z"));
    EXPECT_EQ(next_slot(cron("*/5 * * * *"), RecurrenceType::fixed, kNoon, late, kNoon),
              time_of("2026-06-01T12:05:00Z"));
}

TEST(NextSlot, RollingCountsFromTheEnd) {
    const Time late = kNoon + std::chrono::minutes(7);
    EXPECT_EQ(next_slot(every("hourly"), RecurrenceType::rolling, kNoon, late, kNoon),
              time_of("2026-06-01T13:07:00Z"));
    EXPECT_EQ(next_slot(cron("*/5 * * * *"), RecurrenceType::rolling, kNoon, late, kNoon),
              time_of("2026-06-01T12:10:00Z"));
}

TEST(NextSlot, NoneIsLeftAtTheEndOfTime) {
    EXPECT_EQ(next_slot(every("PT1S"), RecurrenceType::fixed, kEnd, kEnd, kEnd), std::nullopt);
    EXPECT_EQ(next_slot(cron("* * * * *"), RecurrenceType::fixed, kEnd, kEnd, kEnd), std::nullopt);
    EXPECT_EQ(next_slot(every("P36600D"), RecurrenceType::fixed, time_of("9950-01-01T00:00:00Z"),
                        kNoon, kNoon),
              std::nullopt);
}

TEST(NextSlot, StepsOverWhatIsSpent) {
    const Time ten = time_of("2026-06-01T10:00:00Z");
    const SpentSlots spent({{time_of("2026-06-01T12:30:00Z"), time_of("2026-06-01T14:00:00Z")}});
    const Rule interval = every("PT1H").without(spent);
    EXPECT_EQ(interval.after(ten), time_of("2026-06-01T11:00:00Z"));
    EXPECT_EQ(interval.after(kNoon), time_of("2026-06-01T15:00:00Z")) << "on the grid";
    EXPECT_EQ(cron("*/20 * * * *").without(spent).after(kNoon), time_of("2026-06-01T12:20:00Z"));
    EXPECT_EQ(cron("0 * * * *").without(spent).after(kNoon), time_of("2026-06-01T15:00:00Z"));
    EXPECT_EQ(interval.unless_spent(kNoon), kNoon);
    EXPECT_EQ(interval.unless_spent(time_of("2026-06-01T13:10:00Z")),
              time_of("2026-06-01T14:10:00Z"));
    EXPECT_EQ(interval, every("hourly")) << "the rule is the same";
}

TEST(NextSlot, WhatLiesBetweenSpentSlotsIsNotSpent) {
    SpentSlots spent;
    for (const char* slot :
         {"2026-06-01T14:00:00Z", "2026-06-01T16:00:00Z", "2026-06-01T15:00:00Z"}) {
        spent.add(time_of(slot));
    }
    const Rule hourly = cron("0 * * * *").without(spent);
    EXPECT_EQ(hourly.after(kNoon), time_of("2026-06-01T13:00:00Z"));
    EXPECT_EQ(hourly.after(time_of("2026-06-01T13:00:00Z")), time_of("2026-06-01T17:00:00Z"));
    EXPECT_EQ(hourly.last_slot(kNoon, time_of("2026-06-01T16:10:00Z")),
              time_of("2026-06-01T13:00:00Z"));
    const Rule half = every("PT30M").without(spent);
    EXPECT_EQ(half.after(time_of("2026-06-01T13:30:00Z")), time_of("2026-06-01T14:30:00Z"));
    EXPECT_EQ(half.last_slot(kNoon, time_of("2026-06-01T15:10:00Z")),
              time_of("2026-06-01T14:30:00Z"));
}

TEST(MissedSlots, AreNoneThatWereSpent) {
    const SpentSlots spent({{time_of("2026-06-01T12:30:00Z"), time_of("2026-06-01T14:00:00Z")}});
    const Rule rule = cron("0 * * * *").without(spent);
    const Time ten = time_of("2026-06-01T10:00:00Z");
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, ten, time_of("2026-06-01T14:10:00Z")),
              kNoon);
    EXPECT_EQ(apply_missed_policy(rule, Missed::skip, ten, time_of("2026-06-01T13:10:00Z")),
              time_of("2026-06-01T15:00:00Z"));
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, kNoon, time_of("2026-06-01T14:10:00Z")),
              kNoon)
        << "the next one is that of 15:00: it is not missed";
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, ten, time_of("2026-06-01T16:10:00Z")),
              time_of("2026-06-01T16:00:00Z"));
}

TEST(MissedSlots, OneIsMissedIfTheNextIsDueToo) {
    const Time slot = kNoon;
    for (const Missed missed : {Missed::latest, Missed::skip, Missed::all}) {
        // Late, but the next one is still to come.
        EXPECT_EQ(apply_missed_policy(every("hourly"), missed, slot, slot + Millis(3'599'999)),
                  slot);
        EXPECT_EQ(apply_missed_policy(every("hourly"), missed, slot, slot - std::chrono::hours(9)),
                  slot);
        EXPECT_EQ(apply_missed_policy(cron("0 * * * *"), missed, slot, slot + Millis(3'599'999)),
                  slot);
    }
    EXPECT_EQ(
        apply_missed_policy(every("hourly"), Missed::latest, slot, time_of("2026-06-01T13:00:00Z")),
        time_of("2026-06-01T13:00:00Z"));
    EXPECT_EQ(
        apply_missed_policy(every("hourly"), Missed::skip, slot, time_of("2026-06-01T13:00:00Z")),
        time_of("2026-06-01T14:00:00Z"));
}

TEST(MissedSlots, AfterAWeekOfSeconds) {
    const Time now = kNoon + std::chrono::hours(168) + Millis(500);
    const Time last = now - Millis(500);
    for (const Rule& rule : {every("PT1S"), cron("* * * * * *", "Europe/Berlin")}) {
        EXPECT_EQ(apply_missed_policy(rule, Missed::latest, kNoon, now), last);
        EXPECT_EQ(apply_missed_policy(rule, Missed::skip, kNoon, now),
                  last + std::chrono::seconds(1));
        EXPECT_EQ(apply_missed_policy(rule, Missed::all, kNoon, now), kNoon);
    }
}

TEST(MissedSlots, StayOnTheGridOfAnInterval) {
    const Rule rule = every("PT7M");
    const Time now = kNoon + std::chrono::hours(5);  // 300 minutes: 42 × 7 = 294
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, kNoon, now),
              time_of("2026-06-01T16:54:00Z"));
    EXPECT_EQ(apply_missed_policy(rule, Missed::skip, kNoon, now), time_of("2026-06-01T17:01:00Z"));
}

TEST(MissedSlots, OfCronInAZone) {
    // 02:30 in Berlin: the one of the change runs at 01:00 UTC.
    const Rule rule = cron("30 2 * * *", "Europe/Berlin");
    const Time slot = time_of("2026-03-20T01:30:00Z");
    const Time now = time_of("2026-03-29T12:00:00Z");
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, slot, now),
              time_of("2026-03-29T01:00:00Z"));
    EXPECT_EQ(apply_missed_policy(rule, Missed::skip, slot, now), time_of("2026-03-30T00:30:00Z"));
}

TEST(MissedSlots, AFirstSlotThatIsNoMatchIsNotPulledBack) {
    const Rule rule = cron("0 0 * * *");
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, kNoon, time_of("2026-06-01T23:00:00Z")),
              kNoon);
    EXPECT_EQ(apply_missed_policy(rule, Missed::latest, kNoon, time_of("2026-06-02T01:00:00Z")),
              time_of("2026-06-02T00:00:00Z"));
}

TEST(EditedRule, AnEqualRuleKeepsTheSlot) {
    const SlotEdit edit{.pending = kNoon, .last = time_of("2026-06-01T11:00:00Z"), .start_at = {}};
    EXPECT_EQ(slot_after_edit(every("hourly"), every("PT1H"), edit, kNoon), kNoon);
    EXPECT_EQ(slot_after_edit(cron("0 0 * * 0"), cron("0 0 * * SUN"), edit, kNoon), kNoon);
    EXPECT_NE(slot_after_edit(cron("0 0 * * 0"), cron("0 0 * * 0", "Europe/Berlin"), edit, kNoon),
              kNoon);
}

TEST(EditedRule, AnIntervalCountsFromTheLastSlotAtLeastNow) {
    const SlotEdit edit{.pending = time_of("2026-06-01T13:00:00Z"),
                        .last = time_of("2026-06-01T12:00:00Z"),
                        .start_at = {}};
    const Time now = time_of("2026-06-01T12:20:00Z");
    EXPECT_EQ(slot_after_edit(every("hourly"), every("PT30M"), edit, now),
              time_of("2026-06-01T12:30:00Z"));
    EXPECT_EQ(slot_after_edit(every("hourly"), every("PT10M"), edit, now), now);
    EXPECT_EQ(slot_after_edit(cron("0 * * * *"), every("PT30M"), edit, now),
              time_of("2026-06-01T12:30:00Z"));
}

TEST(EditedRule, CronIsTheFirstMatchAfterNow) {
    const SlotEdit edit{.pending = kNoon, .last = {}, .start_at = {}};
    EXPECT_EQ(slot_after_edit(every("hourly"), cron("0 12 * * *"), edit, kNoon),
              time_of("2026-06-02T12:00:00Z"));
}

TEST(EditedRule, AScheduleThatHasNotBegunKeepsItsStart) {
    const Time start = kNoon + std::chrono::hours(48);
    const SlotEdit edit{.pending = start, .last = {}, .start_at = start};
    EXPECT_EQ(slot_after_edit(every("hourly"), every("daily"), edit, kNoon), start);
    EXPECT_EQ(slot_after_edit(every("hourly"), cron("0 * * * *"), edit, kNoon), start);
    const SlotEdit without{.pending = kNoon, .last = {}, .start_at = {}};
    EXPECT_EQ(slot_after_edit(every("hourly"), every("daily"), without, kNoon), kNoon);
}

TEST(NextRuns, ForDisplay) {
    EXPECT_THAT(
        next_runs(every("daily"), kNoon, 3),
        ElementsAre(kNoon, time_of("2026-06-02T12:00:00Z"), time_of("2026-06-03T12:00:00Z")));
    EXPECT_THAT(next_runs(every("daily"), kEnd, 5), ElementsAre(kEnd));
    EXPECT_THAT(next_runs(every("daily"), kEnd, 0), ElementsAre());
}

TEST(Rules, AreEqualWhereTheirSlotsAre) {
    EXPECT_EQ(every("weekly"), every("P7D"));
    EXPECT_FALSE(every("weekly") == every("daily"));
    EXPECT_FALSE(every("daily") == cron("0 0 * * *"));
    EXPECT_FALSE(cron("0 0 * * *") == cron("0 0 * * *", "Europe/Berlin"));
    EXPECT_FALSE(cron("0 0-23 * * *") == cron("0 * * * *"));  // not where clocks change
}

std::string words(const Rule& rule) {
    return rule_in_words(rule, kNoon);
}

TEST(RuleInWords, Intervals) {
    EXPECT_EQ(words(every("every-30-minutes")), "every 30 minutes");
    EXPECT_EQ(words(every("hourly")), "every hour");
    EXPECT_EQ(words(every("daily")), "every 24 hours");
    EXPECT_EQ(words(every("P1DT12H")), "every 1 day 12 hours");
}

TEST(RuleInWords, TimesOfDay) {
    EXPECT_EQ(words(cron("30 9 * * *", "Europe/Berlin")), "every day at 09:30 Europe/Berlin");
    EXPECT_EQ(words(cron("15 0 9,17 * * *")), "every day at 09:00:15 and 17:00:15 UTC");
    EXPECT_EQ(words(cron("0 9 * * 1-5")), "every Monday to Friday at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 * * SAT,SUN")), "every Saturday and Sunday at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 1,15 * *")), "on days 1 and 15 of the month at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 1 1,7 *")), "on day 1 of the month in January and July at 09:00 UTC");
    EXPECT_EQ(words(cron("0 0 13 * FRI")), "on day 13 of the month and every Friday at 00:00 UTC");
    EXPECT_EQ(words(cron("@weekly")), "every Sunday at 00:00 UTC");
}

TEST(RuleInWords, AgainAndAgain) {
    EXPECT_EQ(words(cron("* * * * *")), "every minute UTC");
    EXPECT_EQ(words(cron("*/15 * * * *")), "every 15 minutes UTC");
    EXPECT_EQ(words(cron("*/10 * * * * *")), "every 10 seconds UTC");
    EXPECT_EQ(words(cron("* * * * * *")), "every second UTC");
    EXPECT_EQ(words(cron("0 * * * *")), "every hour on the hour UTC");
    EXPECT_EQ(words(cron("5 */2 * * *")), "every 2 hours at minute 5 UTC");
    EXPECT_EQ(words(cron("*/15 9-17 * * 1-5")),
              "every 15 minutes in the hours 09 to 17, every Monday to Friday UTC");
}

struct WordsCase {
    const char* expression;
    const char* words;
};

TEST(RuleInWords, WithinMinutesAndHours) {
    const WordsCase cases[] = {
        {"* 5 * * * *", "every second of minute 5 UTC"},
        {"*/10 5,20 * * * *", "every 10 seconds in the minutes 5 and 20 UTC"},
        {"* 0-30 * * * *", "every second in the minutes 0 to 30 UTC"},
        {"* */2 * * * *", "every second in the minutes 0 to 58 in steps of 2 UTC"},
        {"* 5 3 * * *", "every second of minute 5 of the hour 03 UTC"},
        {"* 16 * * *", "every minute of the hour 16 UTC"},
        {"*/15 16 * * *", "every 15 minutes of the hour 16 UTC"},
        {"* 16,18 * * *", "every minute in the hours 16 and 18 UTC"},
    };
    for (const WordsCase& one : cases) {
        EXPECT_EQ(words(cron(one.expression)), one.words) << one.expression;
    }
}

TEST(RuleInWords, InSteps) {
    const WordsCase cases[] = {
        {"0 9-17/2 * * *", "every 2 hours from 09:00 to 17:00 UTC"},
        {"0 9-17 * * *", "every hour from 09:00 to 17:00 UTC"},
        {"0 */5 * * *", "every 5 hours from 00:00 to 20:00 UTC"},
        {"*/25 * * * *", "every 25 minutes from minute 0 to 50 of every hour UTC"},
        {"*/50 * * * *", "in the minutes 0 and 50 of every hour UTC"},
        {"1,2,1 * * * *", "in the minutes 1 and 2 of every hour UTC"},
        {"*/7 * * * * *", "every 7 seconds from second 0 to 56 of every minute UTC"},
        {"10-20 3 * * *", "every minute from 03:10 to 03:20 UTC"},
        {"*/7 9 * * *", "every 7 minutes from 09:00 to 09:56 UTC"},
        {"2-50 3 13 * FRI",
         "every minute from 03:02 to 03:50, on day 13 of the month and every Friday UTC"},
    };
    for (const WordsCase& one : cases) {
        EXPECT_EQ(words(cron(one.expression)), one.words) << one.expression;
    }
}

TEST(RuleInWords, DaysThatMustMatchBoth) {
    const WordsCase cases[] = {
        {"0 0 */2 * MON",
         "every Monday that is one of the days 1 to 31 in steps of 2 of the month at 00:00 UTC"},
        {"0 0 15 * */2",
         "every Tuesday, Thursday, Saturday and Sunday that is day 15 of the month at 00:00 UTC"},
        {"* 9 */2 * MON",
         "every minute of the hour 09, every Monday that is one of the days 1 to 31 in steps of 2 "
         "of the month UTC"},
    };
    for (const WordsCase& one : cases) {
        EXPECT_EQ(words(cron(one.expression)), one.words) << one.expression;
    }
}

TEST(RuleInWords, WeeksBeginOnMonday) {
    EXPECT_EQ(words(cron("0 9 * * FRI-SUN")), "every Friday to Sunday at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 * * SUN-WED")), "every Sunday to Wednesday at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 * * SUN")), "every Sunday at 09:00 UTC");
    EXPECT_EQ(words(cron("0 9 * * MON,WED,SUN")),
              "every Monday, Wednesday and Sunday at 09:00 UTC");
}

TEST(RuleInWords, WhereTheClockChanges) {
    const std::string both = ", right after the gap, the first time in the overlap";
    const std::string gap = ", right after the gap";
    const std::string overlap = ", the first time in the overlap";
    const struct {
        const char* expression;
        std::string words;
    } cases[] = {
        {"30 2 * * *", "every day at 02:30 Europe/Berlin" + both},
        {"30 2 * * SUN", "every Sunday at 02:30 Europe/Berlin" + both},
        {"30 2 * 3 *", "every day in March at 02:30 Europe/Berlin" + gap},
        {"30 2 * 10 *", "every day in October at 02:30 Europe/Berlin" + overlap},
        {"30 2 29 3 *", "on day 29 of the month in March at 02:30 Europe/Berlin" + gap},
        {"30 2 * 7 *", "every day in July at 02:30 Europe/Berlin"},
        {"30 2 10 3 *", "on day 10 of the month in March at 02:30 Europe/Berlin"},
        {"30 2 * * MON", "every Monday at 02:30 Europe/Berlin"},
        {"30 3 * * *", "every day at 03:30 Europe/Berlin"},
        {"30 * * * *", "every hour at minute 30 Europe/Berlin"},
    };
    for (const auto& one : cases) {
        EXPECT_EQ(words(cron(one.expression, "Europe/Berlin")), one.words) << one.expression;
    }
    EXPECT_EQ(words(cron("30 2 * * *", "Asia/Kathmandu")), "every day at 02:30 Asia/Kathmandu");
}

TEST(RuleInWords, WhatHasNoShortFormIsToldFieldByField) {
    const WordsCase cases[] = {
        {"*/7 9,12 * * *", "when minute is */7 and hour is 9,12 UTC"},
        {"1,2,3,5,8 * * * *", "when minute is 1,2,3,5,8 UTC"},
        // Either day suffices where neither begins with a star.
        {"2-50 3,4 13 * FRI",
         "when minute is 2-50 and hour is 3,4, and either day of month is 13 or day of week is FRI "
         "UTC"},
        {"*/7 3,4 13 6 FRI",
         "when minute is */7, hour is 3,4 and month is 6, and either day of month is 13 or day of "
         "week is FRI UTC"},
    };
    for (const WordsCase& one : cases) {
        EXPECT_EQ(words(cron(one.expression)), one.words) << one.expression;
    }
}

}  // namespace
}  // namespace semel
