#include <random>
#include <set>

#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ok;
using test::Tabletop;

std::string in_group(const std::string& more = "", const std::string& payload = "0") {
    return R"({"type":"a","lockGroup":"g","payload":)" + payload + more + "}";
}

// Contract section 9, number 8: lock groups ignored rows that were running already.
TEST(SeedDefects, N08_AtMostOneOfAGroupRuns) {
    Tabletop t;
    for (int i = 0; i < 3; ++i) t.schedule(in_group());
    const auto first = t.take({"a"}, 10);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_TRUE(t.take({"a"}, 10).empty());
    ok(t.complete(first[0]));
    EXPECT_EQ(t.take({"a"}, 10).size(), 1U);
}

TEST(LockGroup, OrderIsTimeThenIdAndPriorityDoesNotCount) {
    Tabletop t;
    t.schedule(in_group(R"(,"delayMs":20)", "2"));
    t.schedule(in_group(R"(,"delayMs":30,"priority":9)", "3"));
    t.schedule(in_group(R"(,"delayMs":10)", "1"));
    t.advance(1s);
    t.promote();
    std::string order;
    for (int i = 0; i < 3; ++i) {
        const TakenJob job = t.take_one("a");
        order += job.payload;
        ok(t.complete(job));
        t.promote();
    }
    EXPECT_EQ(order, "123");
}

TEST(LockGroup, AnEarlierOneReplacesAHeadThatHasNotStarted) {
    Tabletop t;
    const auto late = t.schedule(in_group(R"(,"delayMs":1000)"));
    const auto early = t.schedule(in_group());
    EXPECT_EQ(t.job(late.action.job.id).place, Place::waiting);
    EXPECT_EQ(t.take_one("a").job.id, early.action.job.id);
}

TEST(LockGroup, ARetryMovesToItsNewTimeAndTheNextGoesOn) {
    Tabletop t;
    const auto first = t.schedule(in_group("", "1"));
    t.schedule(in_group("", "2"));
    ok(t.fail(t.take_one("a")));
    EXPECT_EQ(t.job(first.action.job.id).place, Place::waiting);
    const TakenJob second = t.take_one("a");
    EXPECT_EQ(second.payload, "2");
    ok(t.complete(second));
    EXPECT_EQ(t.job(first.action.job.id).place, Place::later);
}

TEST(LockGroup, GroupsOfTwoTenantsOrNamesAreApart) {
    Tabletop t;
    t.schedule(in_group(), "x");
    t.schedule(in_group(), "y");
    t.schedule(R"({"type":"a","lockGroup":"h"})", "x");
    EXPECT_EQ(t.take({"a"}, 10, std::nullopt).size(), 3U);
}

TEST(LockGroup, AHeadThatNobodyHandlesHoldsItsGroup) {
    Tabletop t;
    const auto head = t.schedule(R"({"type":"unhandled","lockGroup":"g"})");
    const auto next = t.schedule(in_group());
    EXPECT_TRUE(t.take({"a"}).empty());
    EXPECT_EQ(t.get(next.action.job.id).group_head, head.action.job.id);
    t.operate(Operation::cancel, head.action.job.id);
    EXPECT_EQ(t.take({"a"}).size(), 1U);
}

TEST(LockGroup, CancellingAMemberInTheMiddleLeavesTheQueueWhole) {
    Tabletop t;
    t.schedule(in_group("", "1"));
    const auto middle = t.schedule(in_group("", "2"));
    t.schedule(in_group("", "3"));
    t.operate(Operation::cancel, middle.action.job.id);
    ok(t.complete(t.take_one("a")));
    EXPECT_EQ(t.take_one("a").payload, "3");
}

TEST(LockGroup, SeveralHeadsMayEndInOneCommit) {
    Tabletop t;
    std::vector<OperateAction> cancels;
    for (int i = 0; i < 5; ++i) {
        const auto made = t.schedule(in_group("", std::to_string(i)));
        if (i < 4) {
            cancels.push_back(
                {.tenant = "default", .id = made.action.job.id, .operation = Operation::cancel});
        }
    }
    t.run_batch(cancels);
    EXPECT_EQ(t.take_one("a").payload, "4");
}

TEST(LockGroup, RunNowMovesUpButDoesNotOvertakeARunningOne) {
    Tabletop t;
    t.schedule(in_group("", "1"));
    t.schedule(in_group(R"(,"delayMs":50)", "2"));
    const auto late = t.schedule(in_group(R"(,"delayMs":60000)", "3"));
    const TakenJob running = t.take_one("a");
    t.operate(Operation::run_now, late.action.job.id);
    EXPECT_TRUE(t.take({"a"}).empty());
    ok(t.complete(running));
    EXPECT_EQ(t.take_one("a").payload, "3");
}

// Contract section 9, number 12: a crashed worker's action held its group for ever.
TEST(SeedDefects, N12_ACrashedWorkersJobIsTakenOverAndItsGroupFreed) {
    Tabletop t;
    t.schedule(in_group("", "1"));
    t.advance(1ms);
    t.schedule(in_group("", "2"));
    const TakenJob crashed = t.take_one("a");
    t.advance(15s - 1ms);
    EXPECT_EQ(t.rescue().count, 0);
    t.advance(1ms);
    EXPECT_EQ(t.rescue().count, 1);
    EXPECT_EQ(test::code_of(t.complete(crashed)), ProblemCode::stale_token);
    const TakenJob next = t.take_one("a");
    EXPECT_EQ(next.payload, "2") << "the lost one is due now, behind those that were due before";
    ok(t.complete(next));
    const TakenJob again = t.take_one("a");
    EXPECT_EQ(again.job.id, crashed.job.id);
    EXPECT_EQ(again.job.attempts, 2);
    EXPECT_GT(again.job.token, crashed.job.token);
}

TEST(LockGroup, RandomLivesNeverOverlapAndNeverStall) {
    std::mt19937 random(4);
    for (int round = 0; round < 300; ++round) {
        Tabletop t;
        std::map<std::string, TakenJob> running;
        int left = 0;
        for (int i = 0; i < 60; ++i) {
            const std::string group = random() % 2 == 0 ? "g" : "h";
            const auto choice = random() % 6;
            if (choice < 3) {
                t.schedule(R"({"type":"a","maxRetries":1,"lockGroup":")" + group +
                           R"(","delayMs":)" + std::to_string(random() % 3 * 10) + "}");
                ++left;
            } else if (choice < 5) {
                for (const TakenJob& job : t.take({"a"}, 5)) {
                    ASSERT_TRUE(running.emplace(job.job.lock_group, job).second) << "overlap";
                }
            } else if (!running.empty()) {
                random() % 2 == 0 ? ok(t.complete(running.begin()->second))
                                  : ok(t.fail(running.begin()->second));
                running.erase(running.begin());
                --left;
            }
            t.advance(Millis(random() % 10));
            t.promote();
        }
        for (int i = 0; i < 200 && left > 0; ++i) {
            for (const auto& [group, job] : running) {
                ok(t.complete(job));
                --left;
            }
            running.clear();
            t.advance(20ms);
            t.promote();
            for (const TakenJob& job : t.take({"a"}, 5)) running.emplace(job.job.lock_group, job);
        }
        ASSERT_EQ(left, 0) << "stalled in round " << round;
    }
}

}  // namespace
}  // namespace semel
