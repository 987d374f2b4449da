// When those who wait poll at the store, in virtual time.
#include "engine/hinted_polls.hpp"

#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

struct Polls : test::TestNode {
    int count = 0;
    HintedPolls polls{env, store, [this] { ++count; }};
};

TEST(HintedPolls, ACrowdOfHintsIsOnePoll) {
    Polls t;
    t.polls.begin();
    for (int i = 0; i < 10; ++i) t.polls.poll_soon();
    t.env.advance(49ms);
    EXPECT_EQ(t.count, 0);
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 1);
    t.env.advance(1s);
    EXPECT_EQ(t.count, 1);
    t.polls.poll_soon();
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 2) << "the last look was long ago";
}

TEST(HintedPolls, WithoutAHintItPollsEveryTwoSeconds) {
    Polls t;
    t.polls.begin();
    t.polls.poll_again();
    t.env.advance(1999ms);
    EXPECT_EQ(t.count, 0);
    t.env.advance(1ms);
    EXPECT_EQ(t.count, 1);
    t.polls.poll_again();
    t.polls.poll_soon();
    t.env.advance(50ms);
    EXPECT_EQ(t.count, 2) << "a hint is sooner";
}

TEST(HintedPolls, AStopIsForGood) {
    Polls t;
    t.polls.begin();
    t.polls.poll_soon();
    t.polls.stop();
    t.polls.poll_soon();
    t.polls.poll_again();
    t.env.advance(1min);
    EXPECT_EQ(t.count, 0);
}

}  // namespace
}  // namespace semel
