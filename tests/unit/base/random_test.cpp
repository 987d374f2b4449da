#include "base/random.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(Random, IsAnothersInAChildProcess) {
    (void)random_u64();  // some more lie ready
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    std::uint64_t number = random_u64();
    if (child == 0) {
        _exit(write(ends[1], &number, sizeof(number)) == sizeof(number) ? 0 : 1);
    }
    std::uint64_t other = number;
    EXPECT_EQ(read(ends[0], &other, sizeof(other)), static_cast<ssize_t>(sizeof(other)));
    EXPECT_NE(other, number);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
}  // namespace semel
