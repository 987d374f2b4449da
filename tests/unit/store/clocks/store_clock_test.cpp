#include "store/clocks/store_clock.hpp"

#include <gtest/gtest.h>

namespace semel::test {
namespace {

constexpr Time kClockStart = from_ms(1'800'000'000'000);

// Both clocks, moved by hand.
struct StoreClocks {
    Time wall = kClockStart;
    std::chrono::nanoseconds steady{0};

    void pass(Millis time) {
        wall += time;
        steady += time;
    }
    std::function<ClockSample()> sampler() {
        return [this] { return ClockSample{wall, steady}; };
    }
};

TEST(StoreClock, RunsWithTheWallClock) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    EXPECT_EQ(clock.now(), kClockStart);
    clocks.pass(Millis(1234));
    EXPECT_EQ(clock.now(), kClockStart + Millis(1234));
    EXPECT_EQ(clock.offset(), Millis(0));
}

TEST(StoreClock, StartsAtTheLastStoredTimeIfTheWallIsBehindIt) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), kClockStart + Millis(5000));
    EXPECT_EQ(clock.now(), kClockStart + Millis(5000));
    EXPECT_EQ(clock.offset(), Millis(-5000));
}

TEST(StoreClock, StandsStillWithTheSteadyClock) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clocks.wall += std::chrono::hours(25);
    EXPECT_EQ(clock.now(), kClockStart);
}

TEST(StoreClock, AStepForwardIsMadeUpForByATenth) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clocks.wall += std::chrono::hours(1);
    EXPECT_EQ(clock.offset(), std::chrono::hours(1));
    clocks.pass(std::chrono::seconds(10));
    EXPECT_EQ(clock.now(), kClockStart + std::chrono::seconds(11));
    clocks.pass(std::chrono::hours(10));
    EXPECT_EQ(clock.now(), clocks.wall);
    EXPECT_EQ(clock.offset(), Millis(0));
}

TEST(StoreClock, AStepBackSlowsTimeByATenthAndNeverStopsIt) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clocks.wall -= std::chrono::hours(25);
    clocks.pass(std::chrono::seconds(10));
    EXPECT_EQ(clock.now(), kClockStart + std::chrono::seconds(9));
    Time last = clock.now();
    for (int i = 0; i < 1000; ++i) {
        clocks.pass(std::chrono::minutes(20));
        EXPECT_GT(clock.now(), last);
        last = clock.now();
    }
    EXPECT_EQ(clock.now(), clocks.wall);
}

TEST(StoreClock, IsRaisedAndNeverLowered) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clock.raise_to(kClockStart - Millis(1));
    EXPECT_EQ(clock.now(), kClockStart);
    clock.raise_to(kClockStart + Millis(5000));
    EXPECT_EQ(clock.now(), kClockStart + Millis(5000));
}

TEST(StoreClock, ASteadyClockThatGoesBackIsIgnored) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clocks.pass(Millis(100));
    const Time before = clock.now();
    clocks.steady -= Millis(50);
    EXPECT_EQ(clock.now(), before);
    clocks.steady += Millis(50);
    EXPECT_EQ(clock.now(), before);
}

TEST(StoreClock, SmallStepsAddUp) {
    StoreClocks clocks;
    StoreClock clock(clocks.sampler(), Time{});
    clocks.wall += std::chrono::hours(1);
    for (int i = 0; i < 100'000; ++i) {
        clocks.steady += std::chrono::microseconds(100);  // 10 s, a tenth of a millisecond a time
        (void)clock.now();
    }
    EXPECT_EQ(clock.now(), kClockStart + std::chrono::seconds(11));
}

}  // namespace
}  // namespace semel::test
