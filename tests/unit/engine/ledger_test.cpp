#include "support/test_node.hpp"

namespace semel {
namespace {

using test::TestNode;

TEST(Ledger, WhateverWaitsSharesOneCommit) {
    TestNode t;
    std::vector<std::shared_ptr<std::optional<Result<ScheduledAction>>>> answers;
    for (int i = 0; i < 100; ++i) {
        answers.push_back(t.submit(R"({"type":"a"})"));
    }
    t.env.settle();
    for (const auto& answer : answers) {
        ASSERT_TRUE(answer->has_value());
        EXPECT_TRUE((*answer)->has_value());
    }
    EXPECT_EQ(t.store.commits, 2) << "the first alone, the others together";
}

TEST(Ledger, NothingIsAnsweredBeforeItIsCommitted) {
    TestNode t;
    const auto answer = t.submit(R"({"type":"a"})");
    bool early = false;
    t.store.before_commit = [&] { early = early || answer->has_value(); };
    t.env.settle();
    EXPECT_TRUE(answer->has_value());
    EXPECT_FALSE(early);
    EXPECT_EQ(t.store.commits, 1);
}

TEST(Ledger, TwoDuplicatesInOneBatchAreLikeAnyOtherTwo) {
    TestNode t;
    t.submit(R"({"type":"warm-up"})");
    std::vector<std::shared_ptr<std::optional<Result<ScheduledAction>>>> answers;
    for (int i = 0; i < 100; ++i) {
        answers.push_back(t.submit(R"({"type":"a","payload":{"entityId":1}})"));
    }
    t.env.settle();
    int made = 0;
    for (const auto& answer : answers) {
        made += (**answer)->decision == Decision::new_ ? 1 : 0;
        EXPECT_EQ((**answer)->action.job.id, (**answers.front())->action.job.id);
    }
    EXPECT_EQ(made, 1);
}

TEST(Ledger, AFailedCommitAnswersAnErrorAndTheNextGoesOn) {
    TestNode t;
    t.store.fail_commit = Error(ErrorCode::io_error, "disk full");
    const auto lost = t.submit(R"({"type":"a"})");
    t.env.settle();
    ASSERT_TRUE(lost->has_value());
    EXPECT_EQ((*lost)->error().code(), ErrorCode::io_error);
    t.store.fail_commit.reset();
    EXPECT_EQ(t.schedule(R"({"type":"a"})").status, Status::pending);
    EXPECT_EQ(t.jobs().size(), 1U);
}

TEST(Ledger, AFailedLoadAnswersAnError) {
    TestNode t;
    t.store.fail_load = Error(ErrorCode::unavailable, "gone");
    const auto lost = t.submit(R"({"type":"a"})");
    t.env.settle();
    EXPECT_EQ((*lost)->error().code(), ErrorCode::unavailable);
}

TEST(Ledger, AFullQueueSaysSoAtOnce) {
    TestNode t;
    std::vector<std::shared_ptr<std::optional<Result<ScheduledAction>>>> answers;
    for (int i = 0; i < 10'002; ++i) {
        answers.push_back(t.submit(R"({"type":"a"})"));
    }
    ASSERT_TRUE(answers.back()->has_value());
    EXPECT_EQ((*answers.back())->error().code(), ErrorCode::overloaded);
    t.env.settle();
    EXPECT_EQ(t.jobs().size(), 10'001U);
}

TEST(Ledger, AfterACloseEverythingIsAnsweredStopped) {
    TestNode t;
    t.node.start();
    const auto before = t.submit(R"({"type":"a"})");
    bool stopped = false;
    t.node.stop(std::chrono::seconds(1), [&] { stopped = true; });
    t.env.settle();
    EXPECT_TRUE(stopped);
    EXPECT_TRUE((*before)->has_value());
    const auto after = t.submit(R"({"type":"a"})");
    ASSERT_TRUE(after->has_value());
    EXPECT_EQ((*after)->error().code(), ErrorCode::stopped);
}

TEST(Ledger, AnUnknownCommitMakesEveryoneLookAgain) {
    TestNode t;
    t.node.start();
    t.schedule(R"({"type":"a"})");
    // The take commits, but nobody hears of it: its lease must still be found to end.
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "the answer was lost");
    const auto claimed = t.claim("a", std::chrono::seconds(0));
    t.env.settle();
    EXPECT_FALSE((*claimed)->has_value());
    EXPECT_EQ(t.jobs().front().job.status, Status::running);
    t.env.advance(std::chrono::seconds(15));
    EXPECT_EQ(t.jobs().front().job.status, Status::pending);
}

TEST(Ledger, LargeRequestsMakeSmallBatches) {
    TestNode t;
    ScheduleActions large{.tenant = "default", .items = {}};
    for (int i = 0; i < 600; ++i) large.items.emplace_back(t.request(R"({"type":"a"})"));
    for (int i = 0; i < 4; ++i) {
        t.node.submit(large, [](const Result<Reply<ScheduleActions>>&) {});
    }
    t.env.settle();
    EXPECT_EQ(t.store.commits, 4);
    EXPECT_EQ(t.jobs().size(), 2400U);
}

TEST(Ledger, WhatChangesNothingIsNotCommitted) {
    TestNode t;
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    const int before = t.store.commits;
    t.schedule(R"({"type":"a","payload":{"entityId":1},"deduplication":{"onDuplicate":"keep"}})");
    EXPECT_EQ(t.store.commits, before);
}

TEST(DecisionLog, RepeatsAreSummedWithinASecond) {
    TestNode t;
    t.node.start();
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    for (int i = 0; i < 7; ++i) {
        t.schedule(
            R"({"type":"a","payload":{"entityId":1},"deduplication":{"onDuplicate":"keep"}})");
    }
    ASSERT_EQ(t.decisions().size(), 1U);
    t.env.advance(std::chrono::seconds(1));
    ASSERT_EQ(t.decisions().size(), 2U);
    EXPECT_EQ(t.decisions()[0].entry.decision, Decision::duplicate);
    EXPECT_EQ(t.decisions()[0].entry.count, 7);
}

}  // namespace
}  // namespace semel
