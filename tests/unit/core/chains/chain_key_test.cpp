// What a request to start a chain meets under its key.
#include "support/chain_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ChainTable;
using test::code_of;
using test::ok;

std::string keyed(const std::string& more = "", const std::string& input = "1") {
    return R"({"type":"a","input":)" + input + R"(,"deduplication":{"key":"k")" + more + "}}";
}

TEST(ChainKey, ReturnsTheExistingChainAndIgnoresTheNewInput) {
    ChainTable t;
    const JobId id = t.start_id(keyed());
    const StartedChain same = t.start(keyed());
    EXPECT_TRUE(same.deduplicated);
    EXPECT_FALSE(same.input_differs);
    EXPECT_EQ(same.chain.first.id, id);
    const StartedChain other = t.start(keyed("", "2"));
    EXPECT_TRUE(other.input_differs);
    EXPECT_EQ(other.chain.input.payload, "1");
    EXPECT_EQ(t.list().size(), 1U);
}

TEST(ChainKey, IsPerTypeAndTenant) {
    ChainTable t;
    const JobId id = t.start_id(keyed());
    EXPECT_FALSE(t.start(R"({"type":"b","deduplication":{"key":"k"}})").deduplicated);
    EXPECT_FALSE(t.start(keyed(), "other").deduplicated);
    EXPECT_EQ(t.start_id(keyed()), id);
}

// Contract section 9, number 3: the first job alone says nothing.
TEST(SeedDefects, N03_IncompleteHoldsUntilTheLastStepEnds) {
    ChainTable t;
    const JobId id = t.start_id(keyed());
    ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    EXPECT_EQ(t.status(id), Status::completed);
    EXPECT_EQ(t.start_id(keyed()), id);
    const TakenJob last = t.take_one("b");
    EXPECT_EQ(t.start_id(keyed()), id);
    ok(t.complete(last));
    EXPECT_NE(t.start_id(keyed()), id);
}

TEST(ChainKey, ScopeAnyAlsoMatchesFinishedOnes) {
    ChainTable t;
    const JobId id = t.start_id(keyed());
    t.work("a");
    EXPECT_EQ(t.start_id(keyed(R"(,"scope":"any")")), id);
    EXPECT_FALSE(t.start(keyed()).deduplicated);
}

TEST(ChainKey, AFailedAndACancelledChainFreeIt) {
    ChainTable t;
    t.start(keyed());
    ok(t.fail(t.take_one("a"), "no", true));
    const JobId second = t.start_id(keyed());
    ASSERT_EQ(code_of(t.cancel_chain(second)), std::nullopt);
    EXPECT_FALSE(t.start(keyed()).deduplicated);
}

TEST(ChainKey, TheWindowCountsFromTheMatchAndIsHalfOpen) {
    ChainTable t;
    const JobId id = t.start_id(keyed(R"(,"windowMs":1000)"));
    t.advance(999ms);
    EXPECT_EQ(t.start_id(keyed(R"(,"windowMs":1000)")), id);
    t.advance(1ms);
    const JobId second = t.start_id(keyed(R"(,"windowMs":1000)"));
    EXPECT_NE(second, id);
    // Without one, as long as the key is remembered: the newest counts.
    t.advance(24h);
    EXPECT_EQ(t.start_id(keyed()), second);
}

TEST(ChainKey, ExcludedChainsAreSkipped) {
    ChainTable t;
    const JobId first = t.start_id(keyed());
    const auto without = [](const JobId& id, const std::string& scope) {
        return keyed(R"(,"scope":")" + scope + R"(","excludeChainIds":[")" + id.to_string() +
                     R"("])");
    };
    const JobId second = t.start_id(without(first, "incomplete"));
    EXPECT_NE(second, first);
    EXPECT_EQ(t.start_id(keyed()), second);
    EXPECT_EQ(t.start_id(without(second, "incomplete")), first);
    t.work("a");
    t.work("a");
    EXPECT_EQ(t.start_id(without(second, "any")), first);
}

// A recurring job starts its next round from within, under its own key.
TEST(ChainKey, ARecurringJobSchedulesItselfByExcludingItsOwnChain) {
    ChainTable t;
    JobId round = t.start_id(keyed());
    for (int i = 0; i < 5; ++i) {
        const TakenJob job = t.take_one("a");
        const JobId next =
            t.start_id(keyed(R"(,"excludeChainIds":[")" + round.to_string() + R"("])"));
        EXPECT_NE(next, round);
        ok(t.complete(job));
        EXPECT_EQ(t.start_id(keyed()), next);
        round = next;
    }
}

TEST(ChainKey, EndingOneOwnerNeverFreesItForAnotherThatIsUnfinished) {
    ChainTable t;
    const JobId first = t.start_id(keyed());
    const TakenJob running = t.take_one("a");
    const JobId second =
        t.start_id(keyed(R"(,"excludeChainIds":[")" + first.to_string() + R"("])"));
    t.work("a");
    EXPECT_EQ(t.chain_status(second), Status::completed);
    EXPECT_EQ(t.start_id(keyed()), first);
    ok(t.complete(running));
    EXPECT_FALSE(t.start(keyed()).deduplicated);
}

TEST(ChainKey, DeduplicatesWithinABatchAndReportsPerItem) {
    ChainTable t;
    const auto answers =
        t.start_all({keyed(), keyed("", "2"), R"({"type":"b"})", R"({"input":1})", keyed()});
    ASSERT_EQ(answers.size(), 5U);
    const JobId id = std::get<StartedChain>(answers[0]).chain.first.id;
    EXPECT_EQ(std::get<StartedChain>(answers[1]).chain.first.id, id);
    EXPECT_TRUE(std::get<StartedChain>(answers[1]).input_differs);
    EXPECT_FALSE(std::get<StartedChain>(answers[2]).deduplicated);
    EXPECT_EQ(code_of(answers[3]), ProblemCode::invalid);
    EXPECT_TRUE(std::get<StartedChain>(answers[4]).deduplicated);
    EXPECT_EQ(t.list().size(), 2U);
}

TEST(ChainKey, TooManyUnfinishedOwnersAreRefused) {
    ChainTable t;
    std::string excluded;
    for (int i = 0; i < 100; ++i) {
        const JobId id = t.start_id(keyed(R"(,"excludeChainIds":[)" + excluded + "]"));
        excluded += (excluded.empty() ? "\"" : ",\"") + id.to_string() + "\"";
    }
    EXPECT_EQ(code_of(t.try_start(keyed(R"(,"excludeChainIds":[)" + excluded + "]"))),
              ProblemCode::too_large);
    EXPECT_EQ(t.list().size(), 100U);
}

TEST(ChainKey, ARetryIsRefusedWhileANewerChainHasTheKey) {
    ChainTable t;
    const JobId first = t.start_id(keyed());
    ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    const TakenJob step = t.take_one("b");
    ok(t.fail(step, "no", true));
    const JobId second = t.start_id(keyed());
    const auto refused = t.operate(Operation::retry, step.job.id);
    EXPECT_EQ(code_of(refused), ProblemCode::superseded);
    EXPECT_EQ(std::get<Problem>(refused).existing_id, second);
    EXPECT_EQ(code_of(t.operate(Operation::retry, step.job.id, true)), std::nullopt);
    EXPECT_EQ(t.chain_status(first), Status::pending);
}

// Callers may choose ids, so these do not say which chain came first.
TEST(ChainKey, ARetryIsRefusedWhenTheNewerChainHasTheSmallerId) {
    ChainTable t;
    const std::string id = "01890000-0000-7000-8000-00000000000";
    const auto numbered = [&](const std::string& number) {
        return R"({"id":")" + id + number + R"(","type":"a","deduplication":{"key":"k"}})";
    };
    const JobId first = t.start_id(numbered("2"));
    ASSERT_EQ(code_of(t.cancel_chain(first)), std::nullopt);
    const JobId second = t.start_id(numbered("1"));
    ASSERT_EQ(code_of(t.cancel_chain(second)), std::nullopt);
    const auto refused = t.operate(Operation::retry, first);
    ASSERT_EQ(code_of(refused), ProblemCode::superseded);
    EXPECT_EQ(std::get<Problem>(refused).existing_id, second);
    EXPECT_EQ(code_of(t.operate(Operation::retry, second)), std::nullopt);
}

TEST(ChainKey, EveryDecisionLeavesATrace) {
    ChainTable t;
    const JobId id = t.start_id(keyed());
    t.start(keyed());
    ASSERT_EQ(t.decisions.size(), 1U);
    EXPECT_EQ(t.decisions[0].surface, "chains");
    EXPECT_EQ(t.decisions[0].decision, Decision::new_);
    EXPECT_EQ(t.decisions[0].effect_id, id);
    ASSERT_EQ(t.repeats.size(), 1U);
    EXPECT_EQ(t.repeats[0].effect_id, id);
}

TEST(ChainKey, WhatIsDecidedOnBlockersLeavesATraceToo) {
    ChainTable t;
    const std::string blocked = R"({"type":"join","blockers":[)" + keyed() + "]}";
    t.start(blocked);
    ASSERT_EQ(t.decisions.size(), 2U);
    EXPECT_EQ(t.decisions[0].type, "a");
    EXPECT_EQ(t.decisions[0].decision, Decision::new_);
    EXPECT_TRUE(t.decisions[0].claim.has_value());
    EXPECT_EQ(t.decisions[1].type, "join");
    t.start(R"({"type":"z"})");
    ok(t.continue_with(t.take_one("z"), blocked));
    ASSERT_EQ(t.repeats.size(), 1U) << "the key is met again, by a continuation";
    EXPECT_EQ(t.repeats[0].claim, t.decisions[0].claim);
}

TEST(ChainKey, WhatIsRefusedInAContinuationLeavesATraceToo) {
    ChainTable t;
    const std::string id = R"("id":"0192f0c1-2b7e-7000-8000-000000000001")";
    const JobId x = t.start_id(R"({"type":"x","input":1,)" + id + "}");
    const JobId z = t.start_id(R"({"type":"z"})");
    const TakenJob job = t.take_one("z");
    t.decisions.clear();
    const std::string blocked = R"({"type":"b","blockers":[{"type":"x","input":2,)" + id + "}]}";
    EXPECT_EQ(code_of(t.continue_with(job, blocked)), ProblemCode::conflict);
    EXPECT_EQ(code_of(t.continue_with(job, R"({"type":"b",)" + id + "}")), ProblemCode::conflict);
    CompleteChain complete{.tenant = "default", .chain = z};
    complete.continue_with = t.continuation(blocked);
    EXPECT_EQ(code_of(t.run(complete)), ProblemCode::conflict);
    ASSERT_EQ(t.decisions.size(), 3U);
    for (const DecisionEntry& entry : t.decisions) {
        EXPECT_EQ(entry.decision, Decision::conflict);
        EXPECT_EQ(entry.surface, "chains");
    }
    EXPECT_EQ(t.decisions[0].type, "x");
    EXPECT_EQ(t.decisions[0].effect_id, x);
    EXPECT_GT(t.decisions[0].diff_bytes, 0U);
    EXPECT_EQ(t.decisions[1].type, "b");
    EXPECT_EQ(t.decisions[2].type, "x");
    EXPECT_EQ(t.list().size(), 2U) << "nothing was changed";
}

TEST(ChainRequests, AreRefusedWithThePointerOfWhatIsWrong) {
    ChainTable t;
    const auto pointer_of = [&](const std::string& json) {
        const auto item = t.chain_request(json);
        const auto* problem = std::get_if<Problem>(&item);
        return problem != nullptr ? problem->pointer : "accepted: " + json;
    };
    EXPECT_EQ(pointer_of(R"({})"), "/type");
    EXPECT_EQ(pointer_of(R"({"type":"a","payload":1})"), "/payload");
    EXPECT_EQ(pointer_of(R"({"type":"a","id":"1"})"), "/id");
    EXPECT_EQ(pointer_of(R"({"type":"a","schedule":{"at":"2026-01-01T00:00:00Z","afterMs":1}})"),
              "/schedule/afterMs");
    EXPECT_EQ(pointer_of(R"({"type":"a","schedule":{"in":1}})"), "/schedule/in");
    EXPECT_EQ(pointer_of(R"({"type":"a","deduplication":{"key":""}})"), "/deduplication/key");
    EXPECT_EQ(pointer_of(R"({"type":"a","deduplication":{}})"), "/deduplication/key");
    EXPECT_EQ(pointer_of(R"({"type":"a","deduplication":{"key":"k","scope":"pending"}})"),
              "/deduplication/scope");
    EXPECT_EQ(pointer_of(R"({"type":"a","deduplication":{"key":"k","windowMs":9999999999}})"),
              "/deduplication/windowMs");
    EXPECT_EQ(pointer_of(R"({"type":"a","deduplication":{"key":"k","excludeChainIds":[1]}})"),
              "/deduplication/excludeChainIds");
    EXPECT_EQ(pointer_of(R"({"type":"a","onBlockerFailed":"ignore"})"), "/onBlockerFailed");
    EXPECT_EQ(pointer_of(R"({"type":"a","blockers":{}})"), "/blockers");
    EXPECT_EQ(pointer_of(R"({"type":"a","blockers":["x"]})"), "/blockers/0");
    EXPECT_EQ(pointer_of(R"({"type":"a","blockers":[{"type":"b"},{"type":"c","blockers":[7]}]})"),
              "/blockers/1/blockers/0");
}

}  // namespace
}  // namespace semel
