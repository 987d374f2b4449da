// Blockers: fan-out and fan-in, released exactly once.
#include <algorithm>

#include <fmt/format.h>

#include "core/keys/dedup_key.hpp"
#include "core/limits.hpp"
#include "support/chain_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ChainTable;
using test::code_of;
using test::ok;

std::string waiting_for(const std::vector<JobId>& chains, const std::string& more = "") {
    std::string ids;
    for (const JobId& id : chains) ids += (ids.empty() ? "\"" : ",\"") + id.to_string() + "\"";
    return R"({"type":"join","blockers":[)" + ids + "]" + more + "}";
}

TEST(Blockers, AJobWaitsForAllOfThemAndGetsTheirOutputsInOrder) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId y = t.start_id(R"({"type":"y"})");
    const JobId join = t.start_id(waiting_for({y, x}));
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("x", "10");
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("y", "20");
    EXPECT_EQ(t.chain_status(join), Status::pending);
    const TakenJob job = t.take_one("join");
    ASSERT_EQ(job.blockers.size(), 2U);
    EXPECT_EQ(job.blockers[0].id, y);
    EXPECT_EQ(job.blockers[0].type, "y");
    EXPECT_EQ(job.blockers[0].status, Status::completed);
    EXPECT_EQ(job.blockers[0].output, "20");
    EXPECT_EQ(job.blockers[1].output, "10");
}

TEST(Blockers, AreStartedInlineWithTheirOwnOptions) {
    ChainTable t;
    const JobId join = t.start_id(
        R"({"type":"join","blockers":[{"type":"x","input":1,"blockers":[{"type":"z"}]},
                                      {"type":"y","input":2}]})");
    EXPECT_EQ(t.list().size(), 4U);
    EXPECT_TRUE(t.take({"x"}).empty());
    t.work("z");
    t.work("x");
    t.work("y");
    EXPECT_EQ(t.chain_status(join), Status::pending);
}

TEST(Blockers, OneThatHasCompletedHoldsNobodyUp) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    t.work("x", "5");
    const JobId join = t.start_id(waiting_for({x}));
    EXPECT_EQ(t.chain_status(join), Status::pending);
    EXPECT_EQ(t.take_one("join").blockers.at(0).output, "5");
}

TEST(Blockers, AChainIsWaitedForToItsLastStep) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for({x}));
    ok(t.continue_with(t.take_one("x"), R"({"type":"x2"})"));
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("x2", "9");
    EXPECT_EQ(t.chain_status(join), Status::pending);
    EXPECT_EQ(t.take_one("join").blockers.at(0).output, "9");
}

TEST(Blockers, SeveralJobsMayShareOne) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    std::vector<JobId> joins;
    for (int i = 0; i < 5; ++i) joins.push_back(t.start_id(waiting_for({x, x})));
    t.work("x");
    for (const JobId& join : joins) EXPECT_EQ(t.chain_status(join), Status::pending);
    EXPECT_EQ(t.take({"join"}, 10).size(), 5U);
}

TEST(Blockers, ScheduledAtIsRaisedToTheMomentOfRelease) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for({x}));
    const JobId late = t.start_id(waiting_for({x}, R"(,"schedule":{"afterMs":3600000})"));
    const Time planned = t.now + 1h;
    t.advance(10min);
    t.work("x");
    EXPECT_EQ(t.job(join).scheduled_at, t.now);
    EXPECT_EQ(t.job(late).scheduled_at, planned);
    EXPECT_EQ(t.job(late).place, Place::later);
}

TEST(Blockers, ContinuationsMayHaveThemToo) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId a = t.start_id(R"({"type":"a"})");
    ok(t.continue_with(t.take_one("a"),
                       R"({"type":"b","blockers":[")" + x.to_string() + R"(",{"type":"y"}]})"));
    EXPECT_EQ(t.chain_status(a), Status::blocked);
    t.work("x");
    t.work("y");
    EXPECT_EQ(t.chain_status(a), Status::pending);
}

TEST(Blockers, AnActionIsOneToo) {
    ChainTable t;
    const auto action = t.schedule(R"({"type":"mail"})");
    const JobId join = t.start_id(waiting_for({action.action.job.id}));
    t.work("mail", "3");
    EXPECT_EQ(t.chain_status(join), Status::pending);
}

// What a claim is given is bounded, whatever its jobs waited for.
TEST(Blockers, AClaimTakesAsManyAsTheirOutputsLeaveRoomFor) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    for (int i = 0; i < 5; ++i) (void)t.start_id(waiting_for({x}));
    (void)t.start_id(R"({"type":"join"})");
    t.work("x", "\"" + std::string(kTakeBytesMax / 2, 'x') + "\"");
    EXPECT_EQ(t.take({"join"}, 10).size(), 1U);
    EXPECT_EQ(t.take({"join"}, 10).size(), 1U);
    TakeJobs ten{.query = {.tenant = "default", .types = {"join"}, .limit = 10}, .worker = "w"};
    ten.lease = 15s;
    std::vector<std::size_t> taken;
    for (const auto& reply : t.run_batch(std::vector<TakeJobs>(3, ten))) {
        taken.push_back(std::get<TakeJobs::Outcome>(reply).size());
    }
    EXPECT_EQ(taken, (std::vector<std::size_t>{1, 1, 2})) << "the last has no blockers";
}

TEST(Blockers, AClaimTakesAsManyAsHaveAThousandOfThemTogether) {
    ChainTable t;
    std::vector<JobId> parts;
    while (parts.size() < kBlockersMax - 1) parts.push_back(t.start_id(R"({"type":"x"})"));
    for (int i = 0; i < 2; ++i) (void)t.start_id(waiting_for(parts));
    (void)t.start_id(waiting_for({parts.front()}));
    for (const TakenJob& part : t.take({"x"}, static_cast<int>(kBlockersMax))) {
        ok(t.complete(part));
    }
    EXPECT_EQ(t.take({"join"}, 10).size(), 1U);
    EXPECT_EQ(t.take({"join"}, 10).size(), 2U);
}

TEST(Blockers, RetentionTakesAFewHundredRowsAtATimeAndAsksAgain) {
    ChainTable t;
    std::vector<JobId> parts;
    while (parts.size() < 600) parts.push_back(t.start_id(R"({"type":"x"})"));
    for (int i = 0; i < 2; ++i) (void)t.start_id(waiting_for(parts));
    for (const TakenJob& part : t.take({"x"}, 600)) ok(t.complete(part));
    t.work("join");
    t.work("join");
    t.advance(t.settings.job_retention);
    for (int i = 0; i < 2; ++i) {
        const UpkeepOutcome outcome = t.prune();
        EXPECT_EQ(outcome.count, 1) << "with its 600 edges";
        EXPECT_EQ(outcome.more, i == 0);
    }
    EXPECT_EQ(t.prune().count, 500) << "now the parts";
}

// Contract section 9, number 2, within one commit: two blockers that complete together.
TEST(SeedDefects, N02_BlockersThatCompleteTogetherStrandNobody) {
    ChainTable t;
    for (int round = 0; round < 100; ++round) {
        const JobId x = t.start_id(R"({"type":"x"})");
        const JobId y = t.start_id(R"({"type":"x"})");
        const JobId join = t.start_id(waiting_for({x, y}));
        SettleJobs both{.tenant = "default", .calls = {}};
        for (const TakenJob& job : t.take({"x"}, 2)) {
            both.calls.emplace_back(JobCall{.id = job.job.id, .token = job.job.token});
        }
        (void)t.run(both);
        ASSERT_EQ(t.chain_status(join), Status::pending);
        ASSERT_EQ(t.take_one("join").job.id, join);
        ASSERT_TRUE(t.take({"join"}).empty());
    }
}

TEST(Blockers, ARepeatedCompletionReleasesNobodyASecondTime) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId y = t.start_id(R"({"type":"y"})");
    const JobId join = t.start_id(waiting_for({x, y}));
    const TakenJob job = t.take_one("x");
    ok(t.complete(job));
    ok(t.complete(job));
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    EXPECT_EQ(t.job(join).blockers_left, 1);
}

TEST(Blockers, AFailedOneFailsWhoWaitsAndThoseInTurn) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x","maxRetries":1})");
    const JobId first = t.start_id(waiting_for({x}));
    const JobId second = t.start_id(waiting_for({first}));
    ok(t.fail(t.take_one("x")));
    EXPECT_EQ(t.tell(), 2);
    EXPECT_EQ(t.chain_status(first), Status::failed);
    EXPECT_EQ(t.chain_status(second), Status::failed);
    EXPECT_EQ(t.get(second).view.result.error_code, "blocker_failed");
    EXPECT_EQ(t.tell(), 0);
}

TEST(Blockers, ACancelledOneFailsWhoWaitsUnlessTheyWaitOn) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId fails = t.start_id(waiting_for({x}));
    const JobId waits = t.start_id(waiting_for({x}, R"(,"onBlockerFailed":"wait")"));
    ASSERT_EQ(code_of(t.cancel_chain(x)), std::nullopt);
    t.tell();
    EXPECT_EQ(t.chain_status(fails), Status::failed);
    EXPECT_EQ(t.chain_status(waits), Status::blocked);
    ASSERT_EQ(code_of(t.operate(Operation::retry, x)), std::nullopt);
    t.work("x");
    EXPECT_EQ(t.chain_status(waits), Status::pending);
    EXPECT_EQ(t.chain_status(fails), Status::failed);
}

TEST(Blockers, OneThatHasFailedAlreadyFailsTheNewJobAtOnce) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x","maxRetries":1})");
    ok(t.fail(t.take_one("x")));
    const StartedChain started = t.start(waiting_for({x}));
    EXPECT_EQ(started.chain.last.status, Status::failed);
    EXPECT_EQ(t.start(waiting_for({x}, R"(,"onBlockerFailed":"wait")")).chain.last.status,
              Status::blocked);
}

TEST(Blockers, ARetryGoesByTheirPresentState) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x","maxRetries":1})");
    const JobId join = t.start_id(waiting_for({x}));
    ok(t.fail(t.take_one("x")));
    t.tell();
    // It has not changed: fails again.
    ASSERT_EQ(code_of(t.operate(Operation::retry, join)), std::nullopt);
    EXPECT_EQ(t.chain_status(join), Status::failed);
    ASSERT_EQ(code_of(t.operate(Operation::retry, x)), std::nullopt);
    ASSERT_EQ(code_of(t.operate(Operation::retry, join)), std::nullopt);
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("x");
    EXPECT_EQ(t.chain_status(join), Status::pending);
}

TEST(Blockers, ABlockedJobCanBeCompletedAndCancelledAndIsNotReleasedAfterThat) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId completed = t.start_id(waiting_for({x}));
    const JobId cancelled = t.start_id(waiting_for({x}));
    ASSERT_EQ(code_of(t.complete_chain(completed, 0, "1")), std::nullopt);
    ASSERT_EQ(code_of(t.cancel_chain(cancelled)), std::nullopt);
    t.work("x");
    EXPECT_EQ(t.chain_status(completed), Status::completed);
    EXPECT_EQ(t.chain_status(cancelled), Status::cancelled);
    EXPECT_TRUE(t.take({"join"}).empty());
}

TEST(Blockers, RunNowDoesNotSkipThem) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for({x}, R"(,"schedule":{"afterMs":60000})"));
    ASSERT_EQ(code_of(t.operate(Operation::run_now, join)), std::nullopt);
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("x");
    EXPECT_EQ(t.job(join).place, Place::ready);
}

TEST(Blockers, UnknownIdsForeignIdsAndStepsAreRefusedAndNothingIsStarted) {
    ChainTable t;
    const JobId foreign = t.start(R"({"type":"x"})", "other").chain.first.id;
    const JobId chain = t.start_id(R"({"type":"x"})");
    const JobId step = *ok(t.continue_with(t.take_one("x"), R"({"type":"y"})")).next;
    const std::size_t count = t.list().size();
    for (const JobId& id : {JobId{}, foreign, step}) {
        const auto refused =
            t.try_start(R"({"type":"join","blockers":[{"type":"z"},")" + id.to_string() + R"("]})");
        ASSERT_EQ(code_of(refused), ProblemCode::not_found);
        EXPECT_EQ(std::get<Problem>(refused).pointer, "/blockers/1");
    }
    EXPECT_EQ(t.list().size(), count);
    EXPECT_EQ(t.job(chain).blocks, 0);
}

TEST(Blockers, CyclesAreRefusedAndTheJobStaysWithItsOwner) {
    ChainTable t;
    const JobId a = t.start_id(R"({"type":"a"})");
    const JobId b = t.start_id(waiting_for({a}));
    const JobId c = t.start_id(waiting_for({b}));
    const TakenJob job = t.take_one("a");
    for (const JobId& blocker : {a, b, c}) {
        const auto refused =
            t.continue_with(job, R"({"type":"a2","blockers":[")" + blocker.to_string() + R"("]})");
        ASSERT_EQ(code_of(refused), ProblemCode::cycle);
        EXPECT_EQ(std::get<Problem>(refused).pointer, "/continueWith/blockers");
    }
    EXPECT_EQ(t.status(job.job.id), Status::running);
    EXPECT_EQ(t.steps(a).size(), 1U);
    ok(t.complete(job));
    EXPECT_EQ(t.chain_status(b), Status::pending);
}

TEST(Blockers, TwoContinuationsOfOneBatchCannotCloseACycleTogether) {
    ChainTable t;
    const JobId a = t.start_id(R"({"type":"a"})");
    const JobId b = t.start_id(R"({"type":"a"})");
    SettleJobs both{.tenant = "default", .calls = {}};
    for (const TakenJob& job : t.take({"a"}, 2)) {
        const JobId& other = job.job.id == a ? b : a;
        JobCall call{.id = job.job.id, .token = job.job.token};
        call.continue_with =
            t.continuation(R"({"type":"a2","blockers":[")" + other.to_string() + R"("]})");
        both.calls.emplace_back(std::move(call));
    }
    const auto answers = std::get<SettleJobs::Outcome>(t.run(both));
    EXPECT_EQ(code_of(answers[0]), std::nullopt);
    EXPECT_EQ(code_of(answers[1]), ProblemCode::cycle);
}

TEST(Blockers, AChainThatIsStartedToBlockCannotTurnOutToBeTheOneThatWaits) {
    ChainTable t;
    const std::string key = R"(,"deduplication":{"key":"k"})";
    const auto itself = R"({"type":"a","blockers":[{"type":"a")" + key + "}]" + key + "}";
    EXPECT_EQ(code_of(t.try_start(itself)), ProblemCode::cycle);
    const auto by_way_of_another =
        R"({"type":"a","blockers":[{"type":"b","blockers":[{"type":"a")" + key + "}]}]" + key + "}";
    EXPECT_EQ(code_of(t.try_start(by_way_of_another)), ProblemCode::cycle);
    EXPECT_TRUE(t.list().empty());
}

// Its id is known to whoever chose it.
TEST(Blockers, AChainThatIsStartedCannotNameItself) {
    ChainTable t;
    const std::string id = R"("01890000-0000-7000-8000-000000000001")";
    const std::string begin = R"({"id":)" + id + R"(,"type":"a","blockers":[)";
    const std::vector<std::string> requests = {
        begin + id + "]}",
        begin + R"({"type":"b","blockers":[)" + id + "]}]}",
        begin + R"({"type":"b"},{"type":"c","blockers":[{"type":"d","blockers":[)" + id + "]}]}]}",
        begin + R"({"id":)" + id + R"(,"type":"a"}]})",
    };
    for (const std::string& request : requests) {
        const auto refused = t.try_start(request);
        ASSERT_EQ(code_of(refused), ProblemCode::cycle) << request;
        EXPECT_EQ(std::get<Problem>(refused).pointer, "/blockers");
    }
    EXPECT_TRUE(t.list().empty());
}

// A retry opens a job whose blockers may have come to wait for it since it ended.
TEST(Blockers, ARetryCannotCloseACycle) {
    for (const bool by_way_of_another : {false, true}) {
        ChainTable t;
        const std::string waits = R"(,"onBlockerFailed":"wait")";
        const JobId x = t.start_id(R"({"type":"x","maxRetries":1})");
        const JobId join = t.start_id(waiting_for({x}));
        ok(t.fail(t.take_one("x")));
        t.tell();
        ASSERT_EQ(t.chain_status(join), Status::failed);
        const JobId named = by_way_of_another ? t.start_id(waiting_for({join}, waits)) : join;
        ASSERT_EQ(code_of(t.operate(Operation::retry, x)), std::nullopt);
        ok(t.continue_with(t.take_one("x"), waiting_for({named}, waits)));
        const auto refused = t.operate(Operation::retry, join);
        ASSERT_EQ(code_of(refused), ProblemCode::cycle);
        EXPECT_EQ(std::get<Problem>(refused).existing_id, join);
        EXPECT_EQ(t.chain_status(join), Status::failed);
        ASSERT_EQ(code_of(t.complete_chain(x, 1, "1")), std::nullopt);
        EXPECT_EQ(code_of(t.operate(Operation::retry, join)), std::nullopt);
        EXPECT_EQ(t.chain_status(join), Status::pending);
    }
}

// Two nodes could each open one half of a cycle that the other does not see: both change this row.
TEST(Blockers, WhoeverOpensAJobThatWaitsHoldsTheGraph) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x","maxRetries":1})");
    const std::vector<JobId> joins = {t.start_id(waiting_for({x})), t.start_id(waiting_for({x}))};
    ok(t.fail(t.take_one("x")));
    t.tell();
    ASSERT_EQ(code_of(t.operate(Operation::retry, x)), std::nullopt);
    const ClaimId graph = make_key("default", "graph", {}).claim;
    ASSERT_EQ(t.claim(graph), std::nullopt) << "it waits for nobody";
    ASSERT_EQ(code_of(t.operate(Operation::retry, joins[0])), std::nullopt);
    const auto once = t.claim(graph);
    ASSERT_TRUE(once.has_value());
    const auto run = std::get<BulkRun>(t.run(StartBulk{.tenant = "default",
                                                       .operation = Operation::retry,
                                                       .filter = {.status = Status::failed},
                                                       .matched = {.count = 1}}));
    const auto stepped = std::get<BulkRun>(t.run(StepBulk{
        .bulk_run = run.id, .actions = {joins[1]}, .is_last = true, .reopens_in = run.tenant}));
    EXPECT_EQ(stepped.done, 1);
    EXPECT_EQ(t.chain_status(joins[1]), Status::blocked);
    EXPECT_GT(t.claim(graph)->token, once->token);
}

TEST(Blockers, AStepOfABulkRunTakesNoMoreEdgesThanOneLoadShould) {
    ChainTable t;
    std::vector<JobId> parts;
    while (parts.size() < kBlockersMax) parts.push_back(t.start_id(R"({"type":"x"})"));
    std::vector<JobId> joins;
    while (joins.size() * kBlockersMax <= kBulkEdgesMax) {
        joins.push_back(t.start_id(waiting_for(parts)));
    }
    const auto run = std::get<BulkRun>(
        t.run(StartBulk{.tenant = "default",
                        .operation = Operation::cancel,
                        .filter = {.type = "join"},
                        .matched = {.count = static_cast<std::int64_t>(joins.size())}}));
    const auto step = [&](const std::vector<JobId>& actions) {
        return std::get<BulkRun>(
            t.run(StepBulk{.bulk_run = run.id, .actions = actions, .is_last = true}));
    };
    const BulkRun first = step(joins);
    EXPECT_EQ(first.done, static_cast<std::int64_t>(joins.size()) - 1);
    EXPECT_FALSE(first.finished_at.has_value());
    EXPECT_EQ(t.chain_status(joins.back()), Status::blocked);
    const BulkRun second = step({joins.back()});
    EXPECT_EQ(second.done, static_cast<std::int64_t>(joins.size()));
    EXPECT_TRUE(second.finished_at.has_value());
    EXPECT_TRUE(second.skipped.empty());
}

TEST(Blockers, MoreWaitsThanCanBeSearchedStopOnlyWhoMightCloseACycle) {
    ChainTable t;
    std::vector<JobId> parts;
    while (parts.size() < kBlockersMax) parts.push_back(t.start_id(R"({"type":"x"})"));
    std::vector<JobId> joins;
    while (joins.size() * kBlockersMax <= kWaitsMax)
        joins.push_back(t.start_id(waiting_for(parts)));
    (void)t.start_id(R"({"type":"free"})");
    for (const char* type : {"first", "second"}) {
        const JobId waited_for = t.start_id(R"({"type":")" + std::string(type) + R"("})");
        (void)t.start_id(waiting_for({waited_for}));
    }
    SettleJobs all{.tenant = "default", .calls = {}};
    const auto add = [&](const char* type, const std::vector<JobId>& blockers) {
        const Job job = t.take_one(type).job;
        JobCall call{.id = job.id, .token = job.token};
        call.continue_with = t.continuation(waiting_for(blockers));
        all.calls.emplace_back(std::move(call));
    };
    add("free", joins);
    add("first", joins);
    add("second", {parts.front()});
    const auto answers = std::get<SettleJobs::Outcome>(t.run(all));
    EXPECT_EQ(code_of(answers[0]), std::nullopt);
    EXPECT_EQ(code_of(answers[1]), ProblemCode::too_large);
    EXPECT_EQ(code_of(answers[2]), std::nullopt) << "what the others brought is not behind it";
}

TEST(Blockers, AContinuationClosesNoCycleByWayOfWhatIsStartedWithIt) {
    ChainTable t;
    const JobId a = t.start_id(R"({"type":"a"})");
    const JobId keyed = t.start_id(R"({"type":"join","deduplication":{"key":"k"},"blockers":[")" +
                                   a.to_string() + R"("]})");
    const TakenJob job = t.take_one("a");
    const auto met = t.continue_with(
        job, R"({"type":"a2","blockers":[{"type":"join","deduplication":{"key":"k"}}]})");
    EXPECT_EQ(code_of(met), ProblemCode::cycle);
    const auto between =
        t.continue_with(job, R"({"type":"a2","blockers":[{"type":"b","blockers":[")" +
                                 keyed.to_string() + R"("]}]})");
    EXPECT_EQ(code_of(between), ProblemCode::cycle);
    EXPECT_EQ(t.steps(a).size(), 1U);
}

TEST(Blockers, AChainBlocksAThousandJobsAndNoMore) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    std::vector<std::string> joins(1000, waiting_for({x}));
    for (const auto& answer : t.start_all(joins)) ASSERT_EQ(code_of(answer), std::nullopt);
    EXPECT_EQ(code_of(t.try_start(waiting_for({x}))), ProblemCode::too_large);
    t.work("x");
    EXPECT_EQ(t.take({"join"}, 1000).size(), 1000U);
}

TEST(Blockers, AChainThatHasCompletedMayBeNamedByAnyNumber) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    t.work("x", "1");
    const std::vector<std::string> joins(1000, waiting_for({x}));
    for (const auto& answer : t.start_all(joins)) ASSERT_EQ(code_of(answer), std::nullopt);
    EXPECT_EQ(t.start(waiting_for({x})).chain.last.status, Status::pending);
}

TEST(Blockers, AFanInOfAThousandIsReleasedByTheLast) {
    ChainTable t;
    std::string blockers;
    for (int i = 0; i < 1000; ++i) blockers += (i == 0 ? "" : ",") + std::string(R"({"type":"x"})");
    const JobId join = t.start_id(R"({"type":"join","blockers":[)" + blockers + "]}");
    for (int i = 0; i < 999; ++i) t.work("x", std::to_string(i));
    EXPECT_EQ(t.chain_status(join), Status::blocked);
    t.work("x", "999");
    EXPECT_EQ(t.chain_status(join), Status::pending);
    EXPECT_EQ(t.take_one("join").blockers.size(), 1000U);
}

TEST(Blockers, AreKeptAsLongAsThoseWhoWaitedForThem) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for({x}));
    t.work("x", "8");
    t.advance(t.settings.job_retention);
    EXPECT_EQ(t.prune().count, 0);
    EXPECT_EQ(t.take_one("join").blockers.at(0).output, "8");
    t.advance(15s);
    t.rescue();
    t.work("join");
    t.advance(t.settings.job_retention);
    EXPECT_EQ(t.prune().count, 1);
    EXPECT_FALSE(t.find_chain(join).has_value());
    EXPECT_EQ(t.prune().count, 1);
    EXPECT_FALSE(t.find_chain(x).has_value());
}

TEST(Blockers, ALockGroupIsEnteredWhenTheyAreDone) {
    ChainTable t;
    const JobId x = t.start_id(R"({"type":"x"})");
    const JobId join = t.start_id(waiting_for({x}, R"(,"lockGroup":"g")"));
    const JobId other = t.start_id(R"({"type":"other","lockGroup":"g"})");
    EXPECT_EQ(t.job(other).place, Place::ready);  // a blocked job holds no group
    const TakenJob running = t.take_one("other");
    t.work("x");
    EXPECT_EQ(t.job(join).place, Place::waiting);
    ok(t.complete(running));
    EXPECT_EQ(t.job(join).place, Place::ready);
}

}  // namespace
}  // namespace semel
