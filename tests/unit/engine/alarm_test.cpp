#include "engine/alarm.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_store.hpp"
#include "support/virtual_env.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

// Store time that runs at `percent` of the timers' speed, as it does while a step of the wall clock
// is slewed.
struct Slewed {
    explicit Slewed(int percent)
        : store(make_memory_store(
              [this, percent] { return begin + (env.now() - begin) * percent / 100; })) {}

    // How late the alarm rings, in store time, when it is set this far ahead.
    std::optional<Millis> lateness(Millis ahead) {
        std::optional<Millis> late;
        const Time at = store->now() + ahead;
        Alarm alarm(env, *store, [&] { late = store->now() - at; });
        alarm.set(at);
        env.advance(ahead * 2);
        return late;
    }

    test::VirtualEnv env;
    Time begin = env.now();
    std::unique_ptr<Store> store;
};

TEST(Alarm, RingsInTimeWhenStoreTimeIsFast) {
    for (const Millis ahead : {Millis(10s), Millis(60s), Millis(24h)}) {
        const auto late = Slewed(110).lateness(ahead);
        ASSERT_TRUE(late.has_value());
        EXPECT_GE(*late, 0ms);
        EXPECT_LE(*late, 1s) << "a lease that ends " << ahead.count() << " ms ahead";
    }
}

TEST(Alarm, NeverRingsEarlyWhenStoreTimeIsSlow) {
    for (const Millis ahead : {Millis(1ms), Millis(10s), Millis(60s), Millis(24h)}) {
        const auto late = Slewed(90).lateness(ahead);
        ASSERT_TRUE(late.has_value());
        EXPECT_GE(*late, 0ms);
        EXPECT_LE(*late, 2ms);
    }
}

}  // namespace
}  // namespace semel
