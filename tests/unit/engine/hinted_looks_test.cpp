// When those who wait look at the store, in virtual time.
#include "engine/hinted_looks.hpp"

#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

struct Looks : test::TestNode {
    int count = 0;
    HintedLooks looks{env, store, [this] { ++count; }};
};

TEST(HintedLooks, ACrowdOfHintsIsOneLook) {
    Looks t;
    t.looks.begin();
    for (int i = 0; i < 10; ++i) t.looks.look_soon();
    t.env.advance(49ms);
    EXPECT_EQ(t.count, 0);
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 1);
    t.env.advance(1s);
    EXPECT_EQ(t.count, 1);
    t.looks.look_soon();
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 2) << "the last look was long ago";
}

TEST(HintedLooks, WithoutAHintItLooksEveryTwoSeconds) {
    Looks t;
    t.looks.begin();
    t.looks.look_again();
    t.env.advance(1999ms);
    EXPECT_EQ(t.count, 0);
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 1);
    t.looks.look_again();
    t.looks.look_soon();
    t.env.advance(50ms);
    EXPECT_EQ(t.count, 2) << "a hint is sooner";
}

TEST(HintedLooks, AStopIsForGood) {
    Looks t;
    t.looks.begin();
    t.looks.look_soon();
    t.looks.stop();
    t.looks.look_soon();
    t.looks.look_again();
    t.env.advance(1min);
    EXPECT_EQ(t.count, 0);
}

}  // namespace
}  // namespace semel
