#include "config/durations.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

TEST(Durations, EveryUnitIsUnderstood) {
    const std::pair<const char*, std::int64_t> cases[] = {{"500ms", 500},
                                                          {"15s", 15'000},
                                                          {"15m", 900'000},
                                                          {"24h", 86'400'000},
                                                          {"14d", 1'209'600'000},
                                                          {"0s", 0},
                                                          {"007s", 7'000},
                                                          {"1ms", 1},
                                                          {"36600d", 3'162'240'000'000}};
    for (const auto& [text, ms] : cases) {
        const auto parsed = parse_duration(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_EQ(parsed->count(), ms) << text;
    }
}

TEST(Durations, WhatIsNoneIsRefusedWithExamples) {
    for (const char* text : {"", "5", "s", "5 s", "-5s", "+5s", "1.5s", "5sec", "5S", "1h30m",
                             "forever", "0x5s", " 5s", "5s "}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().message(),
                  "`" + std::string(text) +
                      "` is not a duration; write a whole number and its unit, like 500ms, 15s, "
                      "15m, 24h or 14d");
    }
}

TEST(Durations, WhatWouldOverflowIsTooLong) {
    for (const char* text : {"36601d", "99999999999999999999d", "9223372036854775807s"}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().message(),
                  "`" + std::string(text) + "` is too long; the longest is 36600d");
    }
}

TEST(Durations, TheLargestExactUnitIsWritten) {
    for (const char* text : {"500ms", "15s", "15m", "24s", "14d", "90m", "1001ms", "0s"}) {
        EXPECT_EQ(format_duration(*parse_duration(text)), text);
    }
    EXPECT_EQ(format_duration(Millis(86'400'000)), "1d");
}

}  // namespace
}  // namespace semel
