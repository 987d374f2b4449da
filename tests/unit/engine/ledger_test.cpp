#include "support/test_node.hpp"

namespace semel {
namespace {

using test::TestNode;

TEST(Ledger, WhateverWaitsSharesOneCommit) {
    TestNode t;
    std::vector<std::shared_ptr<std::optional<Result<ScheduledAction>>>> answers;
    answers.reserve(100);
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
    answers.reserve(100);
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
    answers.reserve(10'002);
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

TEST(Ledger, AnUnknownCommitMakesEveryonePollAgain) {
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

// ---- rows that other nodes hold -----------------------------------------------------------

// Holds the claims of a load while `loads` lasts.
void hold_claims(TestNode& test, int loads) {
    test.store.change_load = [left = loads](const LoadSpec& spec, Loaded& loaded) mutable {
        if (left-- > 0) {
            loaded.locked_elsewhere.claims = spec.claims;
        }
    };
}

TEST(Ledger, WhoMeetsALockedRowIsDecidedLater) {
    TestNode test;
    const Job first = test.schedule(R"({"type":"t","payload":{"entityId":"e"}})");
    hold_claims(test, 1);
    const auto held = test.submit(R"({"type":"t","payload":{"entityId":"e","n":2}})");
    const auto free = test.submit(R"({"type":"t","payload":{"n":1}})");
    test.env.settle();
    EXPECT_FALSE(held->has_value()) << "nothing is said of a row that somebody else changes";
    ASSERT_TRUE(free->has_value()) << "the others of its batch go on";
    test.env.advance(Millis(100));
    ASSERT_TRUE(held->has_value());
    EXPECT_EQ((**held)->decision, Decision::duplicate);
    EXPECT_EQ((**held)->action.job.id, first.id);
}

// Its first items would be there twice.
TEST(Ledger, ACommandOfSeveralItemsIsPostponedAsAWhole) {
    TestNode test;
    test.store.change_load = [left = 1](const LoadSpec& spec, Loaded& loaded) mutable {
        if (left-- > 0 && !spec.claims.empty())
            loaded.locked_elsewhere.claims = {spec.claims.back()};
    };
    ScheduleActions batch{.tenant = "default", .items = {}};
    for (const char* json : {R"({"type":"t","payload":{"entityId":"1"}})", R"({"type":"t"})",
                             R"({"type":"t","payload":{"entityId":"2"}})", R"({"type":"t"})"}) {
        batch.items.emplace_back(test.request(json));
    }
    std::optional<Result<Reply<ScheduleActions>>> answer;
    test.node.submit(batch,
                     [&](Result<Reply<ScheduleActions>> reply) { answer = std::move(reply); });
    test.env.settle();
    EXPECT_FALSE(answer.has_value());
    EXPECT_TRUE(test.jobs().empty());
    test.env.advance(Millis(100));
    ASSERT_TRUE(answer.has_value() && answer->has_value());
    EXPECT_EQ(test.jobs().size(), 4U);
}

TEST(Ledger, WhoMeetsLocksAgainAndAgainGoesAloneAndWaits) {
    TestNode test;
    std::vector<bool> waited;
    std::vector<std::size_t> claims;
    test.store.change_load = [&](const LoadSpec& spec, Loaded& loaded) {
        waited.push_back(spec.wait);
        claims.push_back(spec.claims.size());
        if (!spec.wait) loaded.locked_elsewhere.claims = spec.claims;
    };
    const auto one = test.submit(R"({"type":"t","payload":{"entityId":"1"}})");
    const auto two = test.submit(R"({"type":"t","payload":{"entityId":"2"}})");
    test.env.advance(std::chrono::seconds(1));
    EXPECT_EQ(waited, (std::vector{false, false, false, false, true, false, true}));
    EXPECT_EQ(claims.back(), 1U);
    EXPECT_TRUE(one->has_value() && (*one)->has_value());
    EXPECT_TRUE(two->has_value() && (*two)->has_value());
}

TEST(Ledger, WhatIsLockedForLongIsAnsweredBusy) {
    TestNode test;
    hold_claims(test, 1'000'000);
    const auto held = test.submit(R"({"type":"t","payload":{"entityId":"e"}})");
    test.env.advance(std::chrono::seconds(4));
    EXPECT_FALSE(held->has_value());
    test.env.advance(std::chrono::seconds(2));
    ASSERT_TRUE(held->has_value());
    EXPECT_EQ((*held)->error().code(), ErrorCode::busy);
    EXPECT_TRUE(test.jobs().empty());
}

TEST(Ledger, WhoLosesAKeyToAnotherNodeDecidesAgain) {
    TestNode test;
    int lost = 2;
    test.store.before_save = [&](const Changes&) -> Result<void> {
        if (lost-- > 0) return Error(ErrorCode::busy, "the key is taken");
        return {};
    };
    const auto answer = test.submit(R"({"type":"t","payload":{"entityId":"e"}})");
    test.env.advance(Millis(100));
    ASSERT_TRUE(answer->has_value());
    EXPECT_EQ((**answer)->decision, Decision::new_);
    EXPECT_EQ(test.jobs().size(), 1U);
}

TEST(Ledger, ACommandThatCannotBeSavedFailsAlone) {
    TestNode test;
    test.store.before_save = [](const Changes& changes) -> Result<void> {
        for (const auto& change : changes.jobs) {
            if (change.after && change.after->type == "bad") {
                return Error(ErrorCode::invalid, "a rule is broken");
            }
        }
        return {};
    };
    const auto before = test.submit(R"({"type":"good","payload":1})");
    const auto bad = test.submit(R"({"type":"bad","payload":2})");
    const auto after = test.submit(R"({"type":"good","payload":3})");
    test.env.advance(Millis(100));
    EXPECT_TRUE(before->has_value() && (*before)->has_value());
    EXPECT_TRUE(after->has_value() && (*after)->has_value());
    ASSERT_TRUE(bad->has_value());
    EXPECT_EQ((*bad)->error().code(), ErrorCode::invalid);
    EXPECT_EQ(test.jobs().size(), 2U);
}

TEST(Ledger, ACloseWaitsForWhatIsPostponed) {
    TestNode test;
    hold_claims(test, 1);
    const auto held = test.submit(R"({"type":"t","payload":{"entityId":"e"}})");
    test.env.settle();
    bool stopped = false;
    test.node.stop(Millis(0), [&] { stopped = true; });
    test.env.settle();
    EXPECT_FALSE(stopped);
    test.env.advance(Millis(100));
    EXPECT_TRUE(stopped);
    EXPECT_TRUE(held->has_value() && (*held)->has_value());
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
