#include "base/random.hpp"

#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace semel {
namespace {

TEST(Random, GivesAsMuchAsAskedAndNeverTheSame) {
    EXPECT_EQ(random_bytes(0).size(), 0U);
    EXPECT_EQ(random_bytes(33).size(), 33U);
    std::set<std::uint64_t> numbers;
    std::set<std::string> strings;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(numbers.insert(random_u64()).second);
        EXPECT_TRUE(strings.insert(random_bytes(16)).second);
    }
}

}  // namespace
}  // namespace semel
