#include "core/time/cron.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/zones.hpp"

namespace semel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Time at(const std::string& text) {
    const auto time = parse_rfc3339(text);
    EXPECT_TRUE(time) << text;
    return time.value_or(Time());
}

Cron cron_of(const std::string& text) {
    auto cron = Cron::parse(text);
    EXPECT_TRUE(cron) << cron.error().message();
    return *cron;
}

std::string why_no_cron(const std::string& text) {
    const auto cron = Cron::parse(text);
    return cron ? "accepted" : cron.error().message();
}

std::string shown(std::optional<Time> time) {
    return time ? format_rfc3339(*time).substr(0, 19) : "none";
}

// The runs after `from`.
std::vector<std::string> runs(const std::string& text, const std::string& zone_name,
                              const std::string& from, int count) {
    const Cron cron = cron_of(text);
    const auto zone = test::zone(zone_name);
    std::vector<std::string> found;
    std::optional<Time> run = at(from);
    for (int n = 0; n < count && run; ++n) {
        run = cron.next_after(*run, *zone);
        found.push_back(shown(run));
    }
    return found;
}

std::string next(const std::string& text, const std::string& from) {
    return runs(text, "UTC", from, 1).front();
}

std::string last(const std::string& text, const std::string& to) {
    return shown(cron_of(text).last_at_or_before(at(to), *TimeZone::utc()));
}

TEST(Cron, FiveFieldsBeginWithTheMinute) {
    EXPECT_EQ(next("30 9 * * *", "2026-01-01T00:00:00Z"), "2026-01-01T09:30:00");
    EXPECT_EQ(next("30 9 * * *", "2026-01-01T09:30:00Z"), "2026-01-02T09:30:00");
    EXPECT_EQ(next("30 9 * * *", "2026-01-01T09:29:59.999Z"), "2026-01-01T09:30:00");
}

TEST(Cron, SixFieldsBeginWithTheSecond) {
    EXPECT_EQ(next("15 30 9 * * *", "2026-01-01T00:00:00Z"), "2026-01-01T09:30:15");
    EXPECT_EQ(next("*/20 * * * * *", "2026-01-01T00:00:20.001Z"), "2026-01-01T00:00:40");
    EXPECT_EQ(next("* * * * * *", "2026-12-31T23:59:59Z"), "2027-01-01T00:00:00");
}

TEST(Cron, ListsRangesStepsAndNames) {
    EXPECT_THAT(runs("0 8-10/2,17 * * *", "UTC", "2026-01-01T00:00:00Z", 4),
                ElementsAre("2026-01-01T08:00:00", "2026-01-01T10:00:00", "2026-01-01T17:00:00",
                            "2026-01-02T08:00:00"));
    EXPECT_EQ(next("0 0 1 jan,JUL *", "2026-01-02T00:00:00Z"), "2026-07-01T00:00:00");
    EXPECT_EQ(next("0 0 * * Mon-fri", "2026-01-03T00:00:00Z"), "2026-01-05T00:00:00");
    EXPECT_EQ(next("0 0 */10 * *", "2026-01-31T12:00:00Z"), "2026-02-01T00:00:00");
    EXPECT_EQ(next("  0\t0 1 1  * ", "2026-01-02T00:00:00Z"), "2027-01-01T00:00:00");
}

TEST(Cron, ZeroAndSevenAreSunday) {
    for (const char* sunday : {"0", "7", "SUN", "sun", "7-7"}) {
        EXPECT_EQ(next(std::string("0 0 * * ") + sunday, "2026-01-01T00:00:00Z"),
                  "2026-01-04T00:00:00")
            << sunday;
    }
    EXPECT_EQ(cron_of("0 0 * * 5-7"), cron_of("0 0 * * FRI-SUN"));
    EXPECT_EQ(cron_of("0 0 * * 5-7"), cron_of("0 0 * * 0,5,6"));
    EXPECT_EQ(cron_of("0 0 * * 0-7"), cron_of("0 0 * * 0-6"));
}

// Vixie cron: "the dom/dow situation is odd".
TEST(Cron, DayOrWeekdayWhereBothAreRestricted) {
    EXPECT_THAT(runs("0 0 13 * FRI", "UTC", "2026-02-10T00:00:00Z", 3),
                ElementsAre("2026-02-13T00:00:00", "2026-02-20T00:00:00", "2026-02-27T00:00:00"));
    EXPECT_THAT(runs("0 0 13 * *", "UTC", "2026-02-10T00:00:00Z", 2),
                ElementsAre("2026-02-13T00:00:00", "2026-03-13T00:00:00"));
    EXPECT_THAT(runs("0 0 * * FRI", "UTC", "2026-02-10T00:00:00Z", 2),
                ElementsAre("2026-02-13T00:00:00", "2026-02-20T00:00:00"));
}

TEST(Cron, DayAndWeekdayWhereOneBeginsWithAStar) {
    // Sundays that are the 1st; Mondays on odd days.
    EXPECT_EQ(next("0 0 1 * */7", "2026-03-02T00:00:00Z"), "2026-11-01T00:00:00");
    EXPECT_THAT(runs("0 0 */2 * MON", "UTC", "2026-01-01T00:00:00Z", 2),
                ElementsAre("2026-01-05T00:00:00", "2026-01-19T00:00:00"));
}

TEST(Cron, LeapDays) {
    EXPECT_EQ(next("0 0 29 2 *", "2024-03-01T00:00:00Z"), "2028-02-29T00:00:00");
    EXPECT_EQ(next("0 0 29 2 *", "2096-03-01T00:00:00Z"), "2104-02-29T00:00:00");
    // February 29 on a Sunday, over 2100, which is no leap year: 40 years.
    EXPECT_EQ(next("0 0 29 2 */7", "2088-03-01T00:00:00Z"), "2128-02-29T00:00:00");
    EXPECT_EQ(last("0 0 29 2 */7", "2128-02-28T00:00:00Z"), "2088-02-29T00:00:00");
    EXPECT_EQ(next("* * 29 2 */7", "2088-03-01T00:00:00Z"), "2128-02-29T00:00:00");
}

// croniter #178 and Effect #6285: a day that the month does not have led past the first of the
// next.
TEST(Cron, ADayThatTheMonthDoesNotHaveSkipsNoOther) {
    EXPECT_EQ(next("0 0 1,16,31 * *", "2020-02-18T00:00:00Z"), "2020-03-01T00:00:00");
    EXPECT_EQ(next("29 15 14 */15 * *", "2007-02-27T17:04:17Z"), "2007-03-01T14:15:29");
}

TEST(Cron, TheLastRunAtOrBefore) {
    EXPECT_EQ(last("30 9 * * *", "2026-01-01T09:30:00Z"), "2026-01-01T09:30:00");
    EXPECT_EQ(last("30 9 * * *", "2026-01-01T09:29:59.999Z"), "2025-12-31T09:30:00");
    EXPECT_EQ(last("0 0 29 2 *", "2103-01-01T00:00:00Z"), "2096-02-29T00:00:00");
    EXPECT_EQ(last("0 0 31 * *", "2026-03-30T00:00:00Z"), "2026-01-31T00:00:00");
    EXPECT_EQ(last("*/7 * * * * *", "2026-03-30T00:00:59Z"), "2026-03-30T00:00:56");
}

TEST(Cron, NothingOutsideTheRangeOfTime) {
    EXPECT_EQ(last("0 0 1 2 *", "1970-01-31T00:00:00Z"), "none");
    EXPECT_EQ(last("0 0 1 1 *", "1970-01-01T00:00:00Z"), "1970-01-01T00:00:00");
    EXPECT_EQ(next("0 0 1 1 *", "9999-01-01T00:00:00Z"), "none");
    EXPECT_EQ(next("59 23 31 12 *", "9999-12-31T00:00:00Z"), "9999-12-31T23:59:00");
    EXPECT_EQ(next("* * * * * *", "9999-12-31T23:59:59Z"), "none");
}

TEST(Cron, AFixedHourInTheGapRunsAtTheFirstInstantAfterIt) {
    // Berlin, 2026-03-29: 02:00 becomes 03:00, which is 01:00 UTC.
    EXPECT_THAT(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3),
                ElementsAre("2026-03-28T01:30:00", "2026-03-29T01:00:00", "2026-03-30T00:30:00"));
    // All its times in the gap together are one run, and so is 03:00 itself.
    EXPECT_THAT(runs("*/20 2-3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3),
                ElementsAre("2026-03-29T01:00:00", "2026-03-29T01:20:00", "2026-03-29T01:40:00"));
}

TEST(Cron, AFixedHourInTheOverlapRunsOnceTheFirstTime) {
    // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
    EXPECT_THAT(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
                ElementsAre("2026-10-25T00:30:00", "2026-10-26T01:30:00"));
    EXPECT_THAT(runs("0 1-3 * * *", "Europe/Berlin", "2026-10-24T22:00:00Z", 3),
                ElementsAre("2026-10-24T23:00:00", "2026-10-25T00:00:00", "2026-10-25T02:00:00"));
}

TEST(Cron, AStarredHourRunsByElapsedTime) {
    EXPECT_THAT(runs("30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3),
                ElementsAre("2026-03-29T00:30:00", "2026-03-29T01:30:00", "2026-03-29T02:30:00"));
    EXPECT_THAT(runs("30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 3),
                ElementsAre("2026-10-25T00:30:00", "2026-10-25T01:30:00", "2026-10-25T02:30:00"));
    EXPECT_THAT(runs("0 */2 * * *", "Europe/Berlin", "2026-10-24T22:00:00Z", 3),
                ElementsAre("2026-10-25T00:00:00", "2026-10-25T01:00:00", "2026-10-25T03:00:00"));
}

TEST(Cron, AGapOfADay) {
    // Samoa had no 2011-12-30. The 29th ended at 10:00 UTC on the 30th.
    EXPECT_THAT(runs("30 9 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", 3),
                ElementsAre("2011-12-29T19:30:00", "2011-12-30T10:00:00", "2011-12-30T19:30:00"));
    EXPECT_THAT(runs("30 9 30 12 *", "Pacific/Apia", "2011-01-01T00:00:00Z", 2),
                ElementsAre("2011-12-30T10:00:00", "2012-12-29T19:30:00"));
    EXPECT_THAT(runs("0 */12 * * *", "Pacific/Apia", "2011-12-29T20:00:00Z", 3),
                ElementsAre("2011-12-29T22:00:00", "2011-12-30T10:00:00", "2011-12-30T22:00:00"));
}

TEST(Cron, ChangesOfHalfAnHour) {
    // Lord Howe, 2026-04-05: 02:00 becomes 01:30 at 15:00 UTC; 2026-10-04: 02:00 becomes 02:30.
    EXPECT_THAT(runs("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", 2),
                ElementsAre("2026-04-04T14:45:00", "2026-04-05T15:15:00"));
    EXPECT_THAT(runs("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", 2),
                ElementsAre("2026-10-03T15:30:00", "2026-10-04T15:15:00"));
}

TEST(Cron, SummerTimeIn2045ComesFromTheLastLine) {
    EXPECT_EQ(runs("0 9 * * *", "Europe/Berlin", "2045-07-01T00:00:00Z", 1).front(),
              "2045-07-01T07:00:00");
}

TEST(Cron, MidnightThatDoesNotExist) {
    // Spring #28095 and node-cron #518 are of this kind. Santiago, 2026-09-06: 00:00 becomes 01:00.
    EXPECT_THAT(runs("0 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z", 2),
                ElementsAre("2026-09-06T04:00:00", "2026-09-07T03:00:00"));
    EXPECT_THAT(runs("0 0 * * SUN", "America/Santiago", "2026-09-01T12:00:00Z", 2),
                ElementsAre("2026-09-06T04:00:00", "2026-09-13T03:00:00"));
}

TEST(Cron, Macros) {
    EXPECT_EQ(cron_of("@daily"), cron_of("0 0 * * *"));
    EXPECT_EQ(cron_of("@Hourly"), cron_of("0 * * * *"));
    EXPECT_EQ(cron_of("@weekly"), cron_of("0 0 * * 0"));
    EXPECT_EQ(cron_of("@annually"), cron_of("@yearly"));
    EXPECT_THAT(why_no_cron("@reboot"), HasSubstr("@midnight and @hourly"));
    EXPECT_THAT(why_no_cron("@every 5m"), HasSubstr("given as `every`"));
}

TEST(Cron, ErrorsNameTheFieldAndWhatItAllows) {
    EXPECT_THAT(why_no_cron("60 * * * *"), HasSubstr("the minute `60`"));
    EXPECT_THAT(why_no_cron("60 * * * *"), HasSubstr("allowed are 0-59"));
    EXPECT_THAT(why_no_cron("0 24 * * *"), HasSubstr("the hour `24`"));
    EXPECT_THAT(why_no_cron("0 0 0 * *"), HasSubstr("allowed are 1-31"));
    EXPECT_THAT(why_no_cron("0 0 * 13 *"), HasSubstr("1-12 or JAN-DEC"));
    EXPECT_THAT(why_no_cron("0 0 * * 8"), HasSubstr("0-7 (0 and 7 are Sunday) or SUN-SAT"));
    EXPECT_THAT(why_no_cron("99 0 0 * * *"), HasSubstr("the second `99`"));
    EXPECT_THAT(why_no_cron("0 0 * * MON,"), HasSubstr("an item of the list is empty"));
    EXPECT_THAT(why_no_cron("5/15 * * * *"), HasSubstr("write 5-59/15"));
    EXPECT_THAT(why_no_cron("1/2/3 * * * *"), HasSubstr("the step `2/3` must be a number"));
    EXPECT_THAT(why_no_cron("*/0 * * * *"), HasSubstr("from 1 to 60"));
    EXPECT_THAT(why_no_cron("*/61 * * * *"), HasSubstr("from 1 to 60"));
    EXPECT_THAT(why_no_cron("0 22-2 * * *"), HasSubstr("`22-2` ends before it begins"));
    EXPECT_THAT(why_no_cron("0 0 L * *"), HasSubstr("`L` (the last) is not supported"));
    EXPECT_THAT(why_no_cron("0 0 * * 5L"), HasSubstr("`L` (the last) is not supported"));
    EXPECT_THAT(why_no_cron("0 0 * * 5#2"), HasSubstr("`#` (the nth weekday"));
    EXPECT_THAT(why_no_cron("0 0 15W * *"), HasSubstr("`W` (the nearest working day)"));
    EXPECT_THAT(why_no_cron("0 0 ? * *"), HasSubstr("write `*`"));
    EXPECT_THAT(why_no_cron("-5 * * * *"), HasSubstr("the minute `-5`"));
    EXPECT_THAT(why_no_cron("-1 * * * *"), HasSubstr("needs a value before and behind its `-`"));
    EXPECT_THAT(why_no_cron("1-2-3 * * * *"), HasSubstr("`2-3` is not one of its values"));
    EXPECT_THAT(why_no_cron("99999999999999999999 * * * *"), HasSubstr("is not one of its values"));
    EXPECT_THAT(why_no_cron(""), HasSubstr("has 0 fields"));
    EXPECT_THAT(why_no_cron("* * * *"), HasSubstr("has 4 fields"));
    EXPECT_THAT(why_no_cron("* * * * * * 2030"), HasSubstr("has 7 fields"));
    EXPECT_THAT(why_no_cron("\xff * * * *"), HasSubstr("UTF-8"));
    EXPECT_THAT(why_no_cron(std::string(2000, '*')), HasSubstr("more than 1024 bytes"));
}

TEST(Cron, WhatNeverMatchesIsRefused) {
    EXPECT_THAT(why_no_cron("0 0 30 2 *"), HasSubstr("never matches"));
    EXPECT_THAT(why_no_cron("0 0 31 2,4,6,9,11 *"), HasSubstr("never matches"));
    EXPECT_THAT(why_no_cron("0 0 30 2 */2"), HasSubstr("never matches"));
    EXPECT_EQ(why_no_cron("0 0 30 2 MON"), "accepted");  // the Mondays of February
    EXPECT_EQ(why_no_cron("0 0 29 2 *"), "accepted");
}

}  // namespace
}  // namespace semel
