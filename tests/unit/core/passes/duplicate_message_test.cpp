// The sentence that says when the same request was sent before.
#include "core/passes/duplicate_message.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::chrono_literals;

TEST(DuplicateMessage, SaysTheAgeInTheLargestUnitRoundedDown) {
    EXPECT_EQ(fill_age("{age}", 999ms), "less than a second");
    EXPECT_EQ(fill_age("{age}", -5s), "less than a second");
    EXPECT_EQ(fill_age("{age}", 1s), "1 second");
    EXPECT_EQ(fill_age("{age}", 59'999ms), "59 seconds");
    EXPECT_EQ(fill_age("{age}", 60s), "1 minute");
    EXPECT_EQ(fill_age("{age}", 59min + 59s), "59 minutes");
    EXPECT_EQ(fill_age("{age}", 60min), "1 hour");
    EXPECT_EQ(fill_age("{age}", 240h), "240 hours");
}

TEST(DuplicateMessage, FillsEachPlaceAndNothingElse) {
    EXPECT_EQ(fill_age("Sent {age} ago ({age}).", 2s), "Sent 2 seconds ago (2 seconds).");
    EXPECT_EQ(fill_age("{ag} age}", 2s), "{ag} age}");
    EXPECT_EQ(fill_age("", 2s), "");
}

}  // namespace
}  // namespace semel
