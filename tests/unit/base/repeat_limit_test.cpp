#include "base/repeat_limit.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

using std::chrono::seconds;

TEST(RepeatLimit, TheFirstGoesThrough) {
    RepeatLimit limit(seconds(5));
    EXPECT_EQ(limit.admit(seconds(0)), 0);
}

TEST(RepeatLimit, TheRestOfAnIntervalIsCounted) {
    RepeatLimit limit(seconds(5));
    ASSERT_EQ(limit.admit(seconds(100)), 0);
    EXPECT_EQ(limit.admit(seconds(100)), std::nullopt);
    EXPECT_EQ(limit.admit(seconds(104)), std::nullopt);
    EXPECT_EQ(limit.admit(seconds(105)), 2);
    EXPECT_EQ(limit.admit(seconds(106)), std::nullopt);
    EXPECT_EQ(limit.admit(seconds(200)), 1);
}

TEST(RepeatLimit, WhatIsRareGoesThrough) {
    RepeatLimit limit(seconds(5));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(limit.admit(seconds(10 * i)), 0);
    }
}

}  // namespace
}  // namespace semel
