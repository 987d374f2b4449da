#include "runtime/loop.hpp"

#include <future>

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::chrono_literals;

TEST(Loop, RunsWhatIsPostedInOrderFromManyThreads) {
    Loop loop;
    loop.start();
    std::vector<int> seen;  // the loop's own
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 1000; ++i)
                loop.post([&seen, t, i] { seen.push_back(t * 1000 + i); });
        });
    }
    for (auto& thread : threads) thread.join();
    loop.stop();
    ASSERT_EQ(seen.size(), 4000U);
    std::vector<int> last(4, -1);
    for (const int value : seen) {
        EXPECT_GT(value % 1000, last[static_cast<std::size_t>(value / 1000)]);
        last[static_cast<std::size_t>(value / 1000)] = value % 1000;
    }
}

TEST(Loop, TimersFireInOrderAndCancelledOnesDoNot) {
    Loop loop;
    std::promise<std::string> fired;
    std::string order;
    loop.after(20ms, [&] {
        order += "b";
        fired.set_value(order);
    });
    const auto cancelled = loop.after(1ms, [&] { order += "x"; });
    loop.after(1ms, [&] { order += "a"; });
    loop.cancel(cancelled);
    loop.start();
    EXPECT_EQ(fired.get_future().get(), "ab");
    loop.stop();
}

TEST(Loop, ATimerMaySetAnother) {
    Loop loop;
    std::promise<void> fired;
    loop.after(1ms, [&] { loop.after(1ms, [&] { fired.set_value(); }); });
    loop.start();
    fired.get_future().wait();
    loop.stop();
}

TEST(Loop, StopRunsWhatWasPostedAndDropsTheRest) {
    Loop loop;
    int ran = 0;
    loop.post([&] { ++ran; });
    loop.after(1h, [&] { ran += 100; });
    loop.start();
    loop.stop();
    loop.post([&] { ran += 1000; });
    loop.stop();
    EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace semel
