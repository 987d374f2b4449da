#include "core/schedules/interval.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace semel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

Millis interval(const std::string& text) {
    const auto parsed = parse_interval(text);
    EXPECT_TRUE(parsed) << parsed.error().message();
    return parsed ? *parsed : Millis(0);
}

std::string why_no_interval(const std::string& text) {
    const auto parsed = parse_interval(text);
    return parsed ? "accepted" : parsed.error().message();
}

TEST(Interval, TheWords) {
    EXPECT_EQ(interval("every-30-minutes"), minutes(30));
    EXPECT_EQ(interval("hourly"), hours(1));
    EXPECT_EQ(interval("daily"), hours(24));
    EXPECT_EQ(interval("weekly"), hours(168));
}

TEST(Interval, DurationsOfExactUnits) {
    EXPECT_EQ(interval("PT15M"), minutes(15));
    EXPECT_EQ(interval("P1D"), hours(24));
    EXPECT_EQ(interval("P2W"), hours(336));
    EXPECT_EQ(interval("P1W2DT3H4M5S"), hours(168 + 48 + 3) + minutes(4) + seconds(5));
    EXPECT_EQ(interval("PT90M"), minutes(90));
    EXPECT_EQ(interval("PT1.5S"), Millis(1500));
    EXPECT_EQ(interval("PT1,005S"), Millis(1005));
    EXPECT_EQ(interval("PT0H1S"), seconds(1));
    EXPECT_EQ(interval("P36600D"), kDelayMax);
}

TEST(Interval, MonthsAndYearsAreRefused) {
    EXPECT_THAT(why_no_interval("P1M"), HasSubstr("months and years have no exact length"));
    EXPECT_THAT(why_no_interval("P1Y"), HasSubstr("months and years have no exact length"));
    EXPECT_THAT(why_no_interval("P1Y2M3DT1H"), HasSubstr("months and years have no exact length"));
}

TEST(Interval, AtLeastOneSecondAtMostACentury) {
    EXPECT_THAT(why_no_interval("PT0S"), HasSubstr("at least one second"));
    EXPECT_THAT(why_no_interval("PT0.999S"), HasSubstr("at least one second"));
    EXPECT_EQ(why_no_interval("PT1S"), "accepted");
    EXPECT_THAT(why_no_interval("P36600DT0.001S"), HasSubstr("longer than a century"));
    EXPECT_THAT(why_no_interval("P36600DT1S"), HasSubstr("longer than a century"));
    EXPECT_THAT(why_no_interval("PT9223372036854775807S"), HasSubstr("longer than a century"));
    EXPECT_THAT(why_no_interval("PT99999999999999999999H"), HasSubstr("longer than a century"));
}

TEST(Interval, WhatIsNoDurationIsRefused) {
    for (const char* text : {"",       "P",
                             "PT",     "P1DT",
                             "15M",    "PT15",
                             "PTM",    "P1H",
                             "PT1D",   "PT1M1H",
                             "PT1S1S", "pt15m",
                             "PT-5M",  "-PT5M",
                             "PT1.5M", "PT1.2345S",
                             "PT1.S",  "PT.5S",
                             "P1D ",   "yearly",
                             "Daily",  "every-5-minutes",
                             "PTT1S",  "P1DT1HT1M"}) {
        EXPECT_THAT(why_no_interval(text), HasSubstr("is not an interval")) << text;
    }
    EXPECT_THAT(why_no_interval("P\xff"), HasSubstr("is not an interval"));
    EXPECT_THAT(why_no_interval(std::string(5000, 'P')), HasSubstr("too long"));
}

TEST(Interval, InWords) {
    EXPECT_EQ(interval_in_words(minutes(30)), "30 minutes");
    EXPECT_EQ(interval_in_words(hours(1)), "1 hour");
    EXPECT_EQ(interval_in_words(hours(24)), "24 hours");
    EXPECT_EQ(interval_in_words(hours(168)), "7 days");
    EXPECT_EQ(interval_in_words(hours(36) + seconds(1)), "1 day 12 hours 1 second");
    EXPECT_EQ(interval_in_words(Millis(1500)), "1 second 500 ms");
}

}  // namespace
}  // namespace semel
