#include "core/schedules/spent_slots.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

Time at(int ms) {
    return from_ms(ms);
}

TEST(SpentSlots, EachIsRememberedByItself) {
    SpentSlots spent;
    for (const int ms : {30, 10, 20, 10}) spent.add(at(ms));
    EXPECT_EQ(spent.ranges().size(), 3U);
    EXPECT_NE(spent.around(at(20)), nullptr);
    for (const int ms : {9, 11, 19, 21, 31}) EXPECT_EQ(spent.around(at(ms)), nullptr) << ms;
    EXPECT_EQ(spent.last_until(at(9)), std::nullopt);
    EXPECT_EQ(spent.last_until(at(20)), at(20));
    EXPECT_EQ(spent.last_until(at(29)), at(20));
}

TEST(SpentSlots, ThoseThatHaveComeAreForgottenOnceTheLineHasPassedThem) {
    SpentSlots spent;
    for (const int ms : {10, 20, 30}) spent.add(at(ms));
    EXPECT_EQ(spent.forget_before(at(10), at(100)), std::nullopt);
    EXPECT_EQ(spent.forget_before(at(100), at(9)), std::nullopt);
    EXPECT_EQ(spent.ranges().size(), 3U);
    EXPECT_EQ(spent.forget_before(at(25), at(100)), at(20));
    EXPECT_EQ(spent.forget_before(at(100), at(30)), at(30));
    EXPECT_TRUE(spent.is_empty());
}

TEST(SpentSlots, TooManyOfThemAreJoinedWhereTheyAreNearest) {
    SpentSlots spent;
    for (int i = 0; i < static_cast<int>(SpentSlots::kMax); ++i) spent.add(at(i * 100));
    EXPECT_EQ(spent.around(at(4250)), nullptr);
    spent.add(at(4260));
    EXPECT_EQ(spent.ranges().size(), SpentSlots::kMax);
    ASSERT_NE(spent.around(at(4280)), nullptr) << "between 4260 and 4300";
    EXPECT_EQ(*spent.around(at(4280)), (SlotRange{at(4260), at(4300)}));
    EXPECT_EQ(spent.around(at(4250)), nullptr);
}

}  // namespace
}  // namespace semel
