#include "engine/waiters.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_store.hpp"
#include "support/virtual_env.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

// The ask is a number, the answer a word.
using Words = Waiters<std::string, int, std::string>;
using Heard = std::vector<std::string>;

struct Table {
    explicit Table(bool can_leave_polls = false)
        : waiters(env, *store,
                  {.poll =
                       [this](const Words::Ids& ids) {
                           for (const Words::Id id : ids) {
                               polls.push_back(id);
                               if (on_poll) on_poll(id);
                           }
                       },
                   .too_late = [this](Words::Id id) { waiters.answer(id, std::string("late")); },
                   .ended = std::string("ended"),
                   .can_leave_polls = can_leave_polls}) {}

    Words::Id wait(std::vector<std::string> keys, int ask = 0) {
        return waiters.wait(ask, std::move(keys), [this](Result<std::string> answer) {
            heard.push_back(std::move(*answer));
            if (on_answer) {
                std::exchange(on_answer, nullptr)();
            }
        });
    }
    Words::Id wait_parked(std::vector<std::string> keys, int ask = 0) {
        const Words::Id id = wait(std::move(keys), ask);
        park(id);
        polls.clear();
        return id;
    }
    void park(Words::Id id, Millis patience = 10s) { waiters.park(id, store->now() + patience); }

    test::VirtualEnv env;
    std::unique_ptr<Store> store = make_memory_store([this] { return env.now(); });
    std::vector<Words::Id> polls;  // since the latest wait_parked
    std::function<void(Words::Id)> on_poll;
    Heard heard;
    std::function<void()> on_answer;  // once
    Words waiters;
};

using PolledIds = std::vector<Words::Id>;

TEST(Waiters, LookAtOnceAndAgainAtAWakeOfTheirKey) {
    Table t;
    const auto both = t.wait({"a", "b"});
    EXPECT_EQ(t.polls, PolledIds{both});
    t.park(both);
    const auto other = t.wait_parked({"b"});
    t.waiters.wake("c");
    EXPECT_EQ(t.polls, PolledIds{});
    t.waiters.wake("a");
    EXPECT_EQ(t.polls, PolledIds{both});
    t.park(both);
    t.waiters.wake("b");
    EXPECT_EQ(t.polls, (PolledIds{both, both, other}));
}

TEST(Waiters, AreWokenByTheKeysThatTheyHaveNow) {
    Table t;
    const auto id = t.wait_parked({"a", "a"});
    t.waiters.set_keys(id, {"b"});
    EXPECT_EQ(t.waiters.keys(), std::vector<std::string>{"b"});
    t.waiters.wake("a");
    EXPECT_EQ(t.polls, PolledIds{});
    t.waiters.wake("b");
    EXPECT_EQ(t.polls, PolledIds{id});
    t.waiters.answer(id, std::string("found"));
    EXPECT_FALSE(t.waiters.has_keys());
    EXPECT_TRUE(t.waiters.empty());
}

TEST(Waiters, AWakeDuringALookIsNotLost) {
    using Wake = std::function<void(Table&)>;
    const std::vector<Wake> wakes = {[](Table& t) { t.waiters.wake("a"); },
                                     [](Table& t) { t.waiters.wake_first("a"); },
                                     [](Table& t) { t.waiters.wake_all(); }};
    for (const Wake& wake : wakes) {
        Table t;
        const auto id = t.wait({"a"});
        wake(t);
        EXPECT_EQ(t.polls, PolledIds{id}) << "one look at a time";
        t.park(id);
        EXPECT_EQ(t.polls, (PolledIds{id, id}));
        t.park(id);
        EXPECT_EQ(t.polls.size(), 2U) << "and one look per wake";
    }
}

TEST(Waiters, TheFirstWakeGoesToTheOneThatHasWaitedLongest) {
    Table t;
    const auto first = t.wait_parked({"a"});
    const auto second = t.wait_parked({"a"});
    t.waiters.wake_first("a");
    EXPECT_EQ(t.polls, PolledIds{first});
    t.waiters.wake_first("a");  // the first polls already
    EXPECT_EQ(t.polls, (PolledIds{first, second}));
    t.waiters.wake_first("b");
    EXPECT_EQ(t.polls.size(), 2U);
}

TEST(Waiters, AConditionChoosesAmongThem) {
    Table t;
    const auto small = t.wait_parked({"a"}, 1);
    const auto large = t.wait_parked({"a"}, 2);
    const auto is_large = [](int ask) { return ask > 1; };
    t.waiters.wake_first("a", is_large);
    EXPECT_EQ(t.polls, PolledIds{large});
    t.waiters.wake("a", [](int ask) { return ask < 2; });
    EXPECT_EQ(t.polls, (PolledIds{large, small}));
    t.park(small);
    t.park(large);  // it was woken meanwhile
    t.park(large);
    t.polls.clear();
    t.waiters.wake_all(is_large);
    EXPECT_EQ(t.polls, PolledIds{large});
}

TEST(Waiters, AreTooLateAtTheirTimeUnlessTheyLook) {
    Table t;
    t.wait_parked({"a"});
    const auto polling = t.wait_parked({"b"});
    t.env.advance(5s);
    t.waiters.wake("b");
    t.env.advance(4999ms);
    EXPECT_EQ(t.heard, Heard{});
    t.env.advance(1ms);
    EXPECT_EQ(t.heard, Heard{"late"});
    t.park(polling, 1s);
    t.env.advance(1s);
    EXPECT_EQ(t.heard, (Heard{"late", "late"}));
}

TEST(Waiters, ATimeThatIsPastDoesNotKeepTheExecutorBusy) {
    Table t;
    t.park(t.wait({"a"}), -5s);
    t.env.advance(0ms);
    EXPECT_EQ(t.heard, Heard{});
    t.env.advance(1ms);
    EXPECT_EQ(t.heard, Heard{"late"});
}

TEST(Waiters, OneThatIsCancelledIsAnsweredOnceItDoesNotLook) {
    Table t;
    const auto parked = t.wait_parked({"a"});
    const auto polling = t.wait({"a"});
    t.waiters.cancel(parked);
    EXPECT_EQ(t.heard, Heard{"ended"});
    EXPECT_EQ(t.waiters.find(parked), nullptr);
    t.waiters.cancel(parked);
    t.waiters.cancel(77);
    t.waiters.cancel(polling);
    EXPECT_EQ(t.heard, Heard{"ended"}) << "its look might have taken something";
    EXPECT_TRUE(t.waiters.is_gone(polling));
    t.park(polling);
    EXPECT_EQ(t.heard, (Heard{"ended", "ended"}));
    t.env.advance(1min);
    EXPECT_EQ(t.heard.size(), 2U);
}

TEST(Waiters, ALookThatLeavesNoTraceCanBeLeft) {
    Table t(true);
    const auto polling = t.wait({"a"});
    t.waiters.cancel(polling);
    EXPECT_EQ(t.heard, Heard{"ended"});
    EXPECT_EQ(t.waiters.find(polling), nullptr);
    t.wait({"a"});
    t.waiters.stop();
    EXPECT_EQ(t.heard, (Heard{"ended", "ended"}));
}

TEST(Waiters, AStopAnswersEveryoneOnce) {
    Table t;
    t.wait_parked({"a"});
    const auto finds = t.wait({"a"});
    const auto finds_nothing = t.wait({"a"});
    t.waiters.stop();
    EXPECT_EQ(t.heard, Heard{"ended"});
    EXPECT_FALSE(t.waiters.is_gone(finds)) << "it can still have what its look finds";
    t.waiters.answer(finds, std::string("found"));
    t.park(finds_nothing);
    EXPECT_EQ(t.heard, (Heard{"ended", "found", "ended"}));
    t.wait({"a"});
    t.waiters.stop();
    EXPECT_EQ(t.heard, (Heard{"ended", "found", "ended", "ended"}));
    EXPECT_EQ(t.polls, (PolledIds{finds, finds_nothing})) << "no poll begins after a stop";
    t.env.advance(1min);
    EXPECT_EQ(t.heard.size(), 4U);
}

TEST(Waiters, AnAnswerMayWaitAndCancelAndWake) {
    Table t;
    const auto first = t.wait_parked({"a"});
    const auto second = t.wait_parked({"a"});
    t.on_answer = [&] {
        EXPECT_EQ(t.waiters.find(first), nullptr);
        t.waiters.cancel(first);
        t.waiters.cancel(second);
        t.wait({"a"});
        t.waiters.wake("a");
    };
    t.waiters.answer(first, std::string("found"));
    EXPECT_EQ(t.heard, (Heard{"found", "ended"}));
    ASSERT_EQ(t.polls.size(), 1U);
    const auto third = t.polls.front();
    t.park(third);
    EXPECT_EQ(t.polls, (PolledIds{third, third})) << "it was woken while it looked";
}

TEST(Waiters, AnAnswerOfAStopMayWaitAndCancel) {
    Table t;
    t.wait_parked({"a"});
    const auto second = t.wait_parked({"a"});
    t.on_answer = [&] {
        t.waiters.cancel(second);
        t.wait({"a"});
    };
    t.waiters.stop();
    EXPECT_EQ(t.heard, (Heard{"ended", "ended", "ended"}));
    EXPECT_TRUE(t.waiters.empty());
}

// A ledger that is closed answers at once.
TEST(Waiters, ALookMayAnswerBeforeItReturns) {
    Table t;
    t.on_poll = [&](Words::Id id) { t.waiters.answer(id, std::string("found")); };
    t.on_answer = [&] { t.wait({"a"}); };
    t.wait({"a"});
    EXPECT_EQ(t.heard, (Heard{"found", "found"}));
    EXPECT_EQ(t.polls.size(), 2U);
    EXPECT_TRUE(t.waiters.empty());
}

TEST(Waiters, AnAnswerDuringALookOfManyMayEndOneOfThem) {
    Table t(true);
    const auto first = t.wait_parked({"a"});
    const auto second = t.wait_parked({"a"});
    t.on_answer = [&] { t.waiters.cancel(second); };
    t.on_poll = [&](Words::Id id) {
        if (t.waiters.find(id) != nullptr) {
            t.waiters.answer(id, std::string("found"));
        }
    };
    t.waiters.wake("a");
    EXPECT_EQ(t.polls, (PolledIds{first, second}));
    EXPECT_EQ(t.heard, (Heard{"found", "ended"}));
}

TEST(Waiters, ThoseThatAreDestroyedWaitForNoTimer) {
    Table t;
    {
        Words other(t.env, *t.store,
                    {.poll = [](const Words::Ids&) {},
                     .too_late = [](Words::Id) { ADD_FAILURE(); },
                     .ended = std::string()});
        other.park(other.wait(0, {"a"}, [](const auto&) { ADD_FAILURE(); }), t.store->now() + 1s);
    }
    t.env.advance(2s);
}

}  // namespace
}  // namespace semel
