#include "core/keys/near_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel {
namespace {

using testing::ElementsAre;

TEST(NearKeys, AreReadAsTheyWereWritten) {
    const auto named = read_near_keys(R"(["invoice-17"], ["a","b"])");
    ASSERT_TRUE(named.has_value());
    EXPECT_THAT(named->keys, ElementsAre(R"(["invoice-17"])", R"(["a","b"])"));
    EXPECT_EQ(named->rest, "");
}

TEST(NearKeys, WhatIsInAKeyDoesNotEndIt) {
    const auto named = read_near_keys(R"(["], [\"x"], ["y"] and 3 more)");
    ASSERT_TRUE(named.has_value());
    EXPECT_THAT(named->keys, ElementsAre(R"(["], [\"x"])", R"(["y"])"));
    EXPECT_EQ(named->rest, " and 3 more");
}

TEST(NearKeys, OtherTextNamesNone) {
    for (const char* text : {"", "and 3 more", R"(["cut)", R"(["a"], "b"])", "]", "[1,]"}) {
        EXPECT_FALSE(read_near_keys(text).has_value()) << text;
    }
}

}  // namespace
}  // namespace semel
