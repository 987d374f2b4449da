#include "core/time/time_zone.hpp"

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel {
namespace {

using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using namespace std::chrono_literals;

struct Step {
    std::int64_t time;
    std::uint8_t type;
};

std::string big_endian(std::int64_t value, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        text +=
            static_cast<char>(static_cast<std::uint64_t>(value) >> static_cast<unsigned>(shift));
    }
    return text;
}

std::string header(char version, std::size_t times, std::size_t types, std::size_t leaps = 0) {
    return std::string("TZif") + version + std::string(15, '\0') + big_endian(0, 8) +
           big_endian(static_cast<std::int64_t>(leaps), 4) +
           big_endian(static_cast<std::int64_t>(times), 4) +
           big_endian(static_cast<std::int64_t>(types), 4) + big_endian(0, 4);
}

std::string data(const std::vector<Step>& steps, const std::vector<int>& offsets, int time_bytes) {
    std::string text;
    for (const Step& step : steps) text += big_endian(step.time, time_bytes);
    for (const Step& step : steps) text += static_cast<char>(step.type);
    for (const int offset : offsets) text += big_endian(offset, 4) + std::string(2, '\0');
    return text;
}

std::string tzif(const std::vector<Step>& steps, const std::vector<int>& offsets,
                 const std::string& footer) {
    return header('2', 0, 1) + data({}, {0}, 4) + header('2', steps.size(), offsets.size()) +
           data(steps, offsets, 8) + "\n" + footer + "\n";
}

std::shared_ptr<const TimeZone> zone_of(const std::string& bytes) {
    auto zone = TimeZone::parse("Test/Zone", bytes);
    EXPECT_TRUE(zone) << zone.error().message();
    return zone ? *zone : TimeZone::utc();
}

std::shared_ptr<const TimeZone> ruled(const std::string& footer) {
    return zone_of(tzif({}, {0}, footer));
}

std::string why_no_zone(const std::string& bytes) {
    const auto zone = TimeZone::parse("Test/Zone", bytes);
    return zone ? "accepted" : zone.error().message();
}

const std::string kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr sys_seconds kSummer2045 = sys_days(2045y / 7 / 1);
constexpr sys_seconds kWinter2045 = sys_days(2045y / 1 / 1);

TEST(TimeZone, UtcHasNoChange) {
    EXPECT_EQ(TimeZone::utc()->offset_at(kSummer2045), 0s);
    EXPECT_EQ(TimeZone::utc()->name(), "UTC");
}

TEST(TimeZone, TheLastLineHoldsAfterTheLastTransition) {
    // One transition in 2030, from +2 h to winter time; then by rule.
    const sys_seconds last = sys_days(2030y / 10 / 27) + 1h;
    const auto zone = zone_of(tzif({{last.time_since_epoch().count(), 1}}, {7200, 3600}, kBerlin));
    EXPECT_EQ(zone->offset_at(last - 1s), 2h);
    EXPECT_EQ(zone->offset_at(sys_days(2025y / 1 / 1)), 2h);
    EXPECT_EQ(zone->offset_at(last), 1h);
    EXPECT_EQ(zone->offset_at(kSummer2045), 2h);
    EXPECT_EQ(zone->offset_at(kWinter2045), 1h);
    EXPECT_EQ(zone->offset_at(sys_days(9999y / 7 / 1)), 2h);
}

TEST(TimeZone, ATransitionOfTheNameAloneSaysWhereTheRuleBegins) {
    const sys_seconds last = sys_days(2030y / 5 / 1);
    const auto zone = zone_of(tzif({{last.time_since_epoch().count(), 1}}, {7200, 7200}, kBerlin));
    EXPECT_EQ(zone->offset_at(kWinter2045 - hours(24 * 366 * 20)),
              2h);  // before it there is no winter
    EXPECT_EQ(zone->offset_at(kWinter2045), 1h);
}

TEST(TimeZone, WithoutALastLineTheLastOffsetStays) {
    const auto zone = zone_of(tzif({{0, 1}}, {7200, 3600}, ""));
    EXPECT_EQ(zone->offset_at(kSummer2045), 1h);
    EXPECT_EQ(zone->offset_at(sys_seconds(-1s)), 2h);
}

TEST(TimeZone, Version1HasTransitionsOf32Bits) {
    const auto zone = zone_of(header('\0', 1, 2) + data({{1000, 1}}, {0, -3600}, 4));
    EXPECT_EQ(zone->offset_at(sys_seconds(999s)), 0s);
    EXPECT_EQ(zone->offset_at(sys_seconds(1000s)), -1h);
}

TEST(TimeZone, RulesOfEveryForm) {
    EXPECT_EQ(ruled("<+0330>-3:30")->offset_at(kSummer2045), 3h + 30min);
    EXPECT_EQ(ruled("<-03>3")->offset_at(kSummer2045), -3h);
    EXPECT_EQ(ruled("LMT-0:53:28")->offset_at(kSummer2045), 53min + 28s);
    EXPECT_EQ(ruled(kBerlin)->offset_at(kSummer2045), 2h);
    // South of the equator summer lies over the turn of the year.
    const auto hobart = ruled("AEST-10AEDT,M10.1.0,M4.1.0/3");
    EXPECT_EQ(hobart->offset_at(kWinter2045), 11h);
    EXPECT_EQ(hobart->offset_at(kSummer2045), 10h);
    // Dublin calls its winter time the exception.
    const auto dublin = ruled("IST-1GMT0,M10.5.0,M3.5.0/1");
    EXPECT_EQ(dublin->offset_at(kWinter2045), 0h);
    EXPECT_EQ(dublin->offset_at(kSummer2045), 1h);
}

TEST(TimeZone, TimesOfChangeBeforeAndAfterTheDay) {
    const auto nuuk = ruled("<-02>2<-01>,M3.5.0/-1,M10.5.0/0");
    const sys_seconds begin = sys_days(2045y / 3 / 25) + 23h + 2h;  // the Saturday, 23:00
    EXPECT_EQ(nuuk->offset_at(begin - 1s), -2h);
    EXPECT_EQ(nuuk->offset_at(begin), -1h);
    const auto gaza = ruled("EET-2EEST,M3.4.4/50,M10.4.4/50");
    const sys_seconds gaza_begin = sys_days(2045y / 3 / 23) + 50h - 2h;  // the Saturday, 02:00
    EXPECT_EQ(gaza->offset_at(gaza_begin - 1s), 2h);
    EXPECT_EQ(gaza->offset_at(gaza_begin), 3h);
}

TEST(TimeZone, SummerAllYear) {
    const auto zone = ruled("XXX3EDT4,0/0,J365/23");  // RFC 9636, section 3.3.1
    for (int day = 0; day < 800; ++day) {
        EXPECT_EQ(zone->offset_at(sys_days(2043y / 12 / 1) + hours(24 * day)), -4h) << day;
    }
    EXPECT_EQ(zone->offset_at(sys_days(2045y / 1 / 1) + 3h), -4h);
}

TEST(TimeZone, DaysOfTheYearWithAndWithoutTheLeapDay) {
    const auto julian = ruled("AAA0BBB,J60/0,J300/0");  // March 1, always
    EXPECT_EQ(julian->span_at(sys_days(2044y / 6 / 1)).begin, sys_seconds(sys_days(2044y / 3 / 1)));
    EXPECT_EQ(julian->span_at(sys_days(2045y / 6 / 1)).begin, sys_seconds(sys_days(2045y / 3 / 1)));
    const auto counted = ruled("AAA0BBB,59/0,300/0");  // February 29 in leap years
    EXPECT_EQ(counted->span_at(sys_days(2044y / 6 / 1)).begin,
              sys_seconds(sys_days(2044y / 2 / 29)));
    EXPECT_EQ(counted->span_at(sys_days(2045y / 6 / 1)).begin,
              sys_seconds(sys_days(2045y / 3 / 1)));
}

TEST(TimeZone, WallTimesThatComeOnceTwiceAndNever) {
    using Kind = TimeZone::Instants::Kind;
    const auto berlin = ruled(kBerlin);
    const local_seconds noon = local_days(2045y / 7 / 1) + 12h;
    EXPECT_EQ(berlin->instants_of(noon).kind, Kind::unique);
    EXPECT_EQ(berlin->instants_of(noon).first, sys_seconds(sys_days(2045y / 7 / 1) + 10h));

    const auto twice = berlin->instants_of(local_days(2045y / 10 / 29) + 2h + 30min);
    EXPECT_EQ(twice.kind, Kind::overlap);
    EXPECT_EQ(twice.first, sys_seconds(sys_days(2045y / 10 / 29) + 30min));
    EXPECT_EQ(twice.last, sys_seconds(sys_days(2045y / 10 / 29) + 1h + 30min));

    const auto never = berlin->instants_of(local_days(2045y / 3 / 26) + 2h + 30min);
    EXPECT_EQ(never.kind, Kind::gap);
    EXPECT_EQ(never.first, sys_seconds(sys_days(2045y / 3 / 26) + 1h));
}

TEST(TimeZone, TheLatestShownStandsStillInTheSecondPass) {
    const auto berlin = ruled(kBerlin);
    const sys_seconds back = sys_days(2045y / 10 / 29) + 1h;  // 03:00 becomes 02:00
    const local_seconds three = local_days(2045y / 10 / 29) + 3h;
    EXPECT_EQ(berlin->latest_shown(back - 1s), three - 1s);
    EXPECT_EQ(berlin->latest_shown(back), three - 1s);
    EXPECT_EQ(berlin->latest_shown(back + 1h - 1s), three - 1s);
    EXPECT_EQ(berlin->latest_shown(back + 1h), three);
    EXPECT_EQ(berlin->first_reaching(three - 1s), back - 1s);
    EXPECT_EQ(berlin->first_reaching(three), back + 1h);
}

TEST(TimeZone, BytesThatAreNoZoneAreRefused) {
    const std::string good = tzif({{0, 1}}, {7200, 3600}, kBerlin);
    EXPECT_EQ(why_no_zone(good), "accepted");
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_NE(why_no_zone(good.substr(0, size)), "accepted") << size;
    }
    EXPECT_THAT(why_no_zone("hello"), testing::HasSubstr("no TZif file"));
    EXPECT_THAT(why_no_zone(tzif({{5, 1}, {5, 0}}, {0, 1}, "")),
                testing::HasSubstr("not in order"));
    EXPECT_THAT(why_no_zone(tzif({{5, 2}}, {0, 1}, "")), testing::HasSubstr("has no offset"));
    EXPECT_THAT(why_no_zone(tzif({}, {26 * 3600}, "")), testing::HasSubstr("more than a day"));
    EXPECT_THAT(why_no_zone(header('\0', 0, 1, 1) + data({}, {0}, 4) + std::string(8, '\0')),
                testing::HasSubstr("leap seconds"));
    EXPECT_THAT(why_no_zone(header('\0', 0, 0)), testing::HasSubstr("no offset"));
    EXPECT_THAT(why_no_zone(header('\0', 0xffffffff, 1)), testing::HasSubstr("cut off"));
    EXPECT_THAT(why_no_zone(header('1', 0, 1)), testing::HasSubstr("version"));
}

TEST(TimeZone, RulesThatAreNoneAreRefused) {
    for (const char* rule :
         {"X", "CET", "CET-", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0",
          "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
          "CET-1CEST,J0,J5", "CET-1CEST,366,5", "CET-1CEST,M3.5.0/168,M10.5.0",
          "CET-1CEST,M3.5.0,M10.5.0 ", "<+03-3", "C1T-1", "CET-1:60",
          "CET-1CEST,M3.5.0,M10.5.0/3:", "CET-99999999999999999999"}) {
        EXPECT_THAT(why_no_zone(tzif({}, {0}, rule)), testing::HasSubstr("not a POSIX TZ string"))
            << rule;
    }
}

TEST(TimeZone, TransitionsAtTheEndsOfTimeDoNotOverflow) {
    const auto zone = zone_of(tzif({{INT64_MIN, 1}, {INT64_MAX, 0}}, {-89999, 93599}, ""));
    EXPECT_EQ(zone->offset_at(sys_seconds()), seconds(93599));
    EXPECT_EQ(zone->first_reaching(local_seconds()), sys_seconds(-93599s));
    EXPECT_EQ(zone->latest_shown(sys_seconds()), local_seconds(93599s));
}

}  // namespace
}  // namespace semel
