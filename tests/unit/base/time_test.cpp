#include "base/time.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace semel {
namespace {

TEST(Rfc3339, AcceptsEveryDateTimeOfTheRfc) {
    const std::vector<std::pair<std::string, std::int64_t>> cases = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01T00:00:00.001Z", 1},
        {"2024-02-29T12:34:56.789Z", 1'709'210'096'789},
        {"2024-02-29t12:34:56.789z", 1'709'210'096'789},
        {"2024-02-29 12:34:56.789Z", 1'709'210'096'789},
        {"2024-02-29T14:34:56.789+02:00", 1'709'210'096'789},
        {"2024-02-29T07:04:56.789-05:30", 1'709'210'096'789},
        {"2024-02-29T12:34:56.789+00:00", 1'709'210'096'789},
        {"2024-02-29T12:34:56.789-00:00", 1'709'210'096'789},
        {"2024-02-29T12:34:56.7Z", 1'709'210'096'700},
        {"2024-02-29T12:34:56.78Z", 1'709'210'096'780},
        {"2024-02-29T12:34:56.789999999Z", 1'709'210'096'789},
        {"2024-02-29T12:34:56.000999Z", 1'709'210'096'000},
        {"2016-12-31T23:59:60Z", 1'483'228'800'000},
        {"2000-02-29T00:00:00Z", 951'782'400'000},
        {"1970-01-01T01:00:00+01:00", 0},
        {"1969-12-31T23:00:00-01:00", 0},
        {"1969-12-31T23:59:59.999Z", 0},  // before 1970: its first moment
        {"1970-01-01T00:00:00+00:01", 0},
        {"0000-01-01T00:00:00Z", 0},
        {"9999-12-31T23:59:59.999Z", kTimeMaxMs},
    };
    for (const auto& [text, ms] : cases) {
        const auto time = parse_rfc3339(text);
        ASSERT_TRUE(time) << text;
        EXPECT_EQ(to_ms(*time), ms) << text;
    }
}

TEST(Rfc3339, RefusesEverythingElse) {
    for (const char* text : {"",
                             "2024",
                             "2024-02-29",
                             "12:34:56Z",
                             "2024-02-29T12:34:56",
                             "2024-02-29T12:34Z",
                             "2024-02-29T12:34:56.Z",
                             "2024-02-29T12:34:56,5Z",
                             "2023-02-29T00:00:00Z",
                             "1900-02-29T00:00:00Z",
                             "2024-00-01T00:00:00Z",
                             "2024-13-01T00:00:00Z",
                             "2024-01-00T00:00:00Z",
                             "2024-04-31T00:00:00Z",
                             "2024-01-01T24:00:00Z",
                             "2024-01-01T00:60:00Z",
                             "2024-01-01T00:00:61Z",
                             "2024-1-1T00:00:00Z",
                             "24-01-01T00:00:00Z",
                             "02024-01-01T00:00:00Z",
                             "+2024-01-01T00:00:00Z",
                             "2024/01/01T00:00:00Z",
                             "2024-01-01X00:00:00Z",
                             "2024-01-01T00:00:00z ",
                             " 2024-01-01T00:00:00Z",
                             "2024-01-01T00:00:00Z0",
                             "2024-01-01T00:00:00ZZ",
                             "2024-01-01T00:00:00+0200",
                             "2024-01-01T00:00:00+02",
                             "2024-01-01T00:00:00+24:00",
                             "2024-01-01T00:00:00+00:60",
                             "2024-01-01T00:00:00+2:00",
                             "2024-01-01T00:00:00 +02:00",
                             "2024-01-01T00:00:00UTC",
                             "2024-01-01T0a:00:00Z",
                             "9999-12-31T23:59:60Z",
                             "9999-12-31T23:59:59-00:01"}) {
        EXPECT_FALSE(parse_rfc3339(text)) << text;
    }
}

TEST(Rfc3339, IsWrittenWithThreeDecimalsInUtc) {
    EXPECT_EQ(format_rfc3339(from_ms(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(format_rfc3339(from_ms(1)), "1970-01-01T00:00:00.001Z");
    EXPECT_EQ(format_rfc3339(from_ms(86'399'999)), "1970-01-01T23:59:59.999Z");
    EXPECT_EQ(format_rfc3339(from_ms(1'709'210'096'789)), "2024-02-29T12:34:56.789Z");
    EXPECT_EQ(format_rfc3339(from_ms(kTimeMaxMs)), "9999-12-31T23:59:59.999Z");
}

TEST(Rfc3339, IsNotReadAsAnotherTimeWhereItHasNoForm) {
    EXPECT_EQ(format_rfc3339(from_ms(-62'167'219'200'000)), "0000-01-01T00:00:00.000Z");
    for (const std::int64_t ms :
         {kTimeMaxMs + 1, std::int64_t{317'000'000'000'000}, std::int64_t{1'800'000'000'000'000},
          std::numeric_limits<std::int64_t>::max(), std::int64_t{-62'167'219'200'001},
          std::numeric_limits<std::int64_t>::min()}) {
        EXPECT_FALSE(parse_rfc3339(format_rfc3339(from_ms(ms)))) << format_rfc3339(from_ms(ms));
    }
}

TEST(Rfc3339, IsReadBackAsWritten) {
    for (std::int64_t ms = 0; ms <= kTimeMaxMs; ms += 3'196'799'963) {
        ASSERT_EQ(parse_rfc3339(format_rfc3339(from_ms(ms))), from_ms(ms)) << ms;
    }
}

TEST(AddClamped, AddsWithinTheRange) {
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(500)), from_ms(1500));
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(-500)), from_ms(500));
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(-1000)), from_ms(0));
    EXPECT_EQ(add_clamped(from_ms(kTimeMaxMs - 1), Millis(1)), from_ms(kTimeMaxMs));
}

TEST(AddClamped, StopsAtBothEnds) {
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kTiny = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(-1001)), from_ms(0));
    EXPECT_EQ(add_clamped(from_ms(kTimeMaxMs), Millis(1)), from_ms(kTimeMaxMs));
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(kHuge)), from_ms(kTimeMaxMs));
    EXPECT_EQ(add_clamped(from_ms(1000), Millis(kTiny)), from_ms(0));
    EXPECT_EQ(add_clamped(from_ms(kHuge), Millis(kHuge)), from_ms(kTimeMaxMs));
    EXPECT_EQ(add_clamped(from_ms(kTiny), Millis(kTiny)), from_ms(0));
}

}  // namespace
}  // namespace semel
