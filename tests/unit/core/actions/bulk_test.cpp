#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

class Bulk : public testing::Test {
protected:
    Tabletop t;

    BulkRun start(Operation operation, ActionFilter filter, std::int64_t matched,
                  bool dry_run = false) {
        return std::get<BulkRun>(t.run(StartBulk{.tenant = "default",
                                                 .operation = operation,
                                                 .filter = std::move(filter),
                                                 .dry_run = dry_run,
                                                 .matched = {.count = matched}}));
    }
    BulkRun step(const Uuid& run, std::vector<JobId> actions, bool is_last = true) {
        return std::get<BulkRun>(t.run(StepBulk{run, std::move(actions), is_last}));
    }
    JobId make(const std::string& json, const std::string& tenant = "default") {
        return t.schedule(json, tenant).action.job.id;
    }
    JobId make_failed(const std::string& type) {
        const JobId id = make(R"({"type":")" + type + R"(","maxRetries":1})");
        ok(t.fail(t.take_one(type)));
        return id;
    }
};

TEST_F(Bulk, AStepDoesWhatASingleOperationDoesAndCounts) {
    const JobId one = make_failed("a");
    const JobId two = make_failed("a");
    const BulkRun run = start(Operation::retry, {.status = Status::failed}, 2);
    const BulkRun after = step(run.id, {one, two});
    EXPECT_EQ(after.done, 2);
    EXPECT_TRUE(after.skipped.empty());
    EXPECT_EQ(after.finished_at, t.now);
    EXPECT_EQ(t.status(one), Status::pending);
    EXPECT_EQ(t.status(two), Status::pending);
}

TEST_F(Bulk, ARunIsNewerThanAllItMeansAlsoWhereAnotherNodeMadeThem) {
    UuidGenerator other([] { return ~std::uint64_t{0}; });
    const Uuid newest = other.next(t.now + 5ms);
    const auto run = std::get<BulkRun>(
        t.run(StartBulk{.tenant = "default", .matched = {.count = 1, .newest = newest}}));
    EXPECT_GT(run.id, newest);
    EXPECT_GT(make(R"({"type":"a"})"), run.id) << "what comes later is not meant";
}

TEST_F(Bulk, WhatIsRefusedIsSkippedByItsReasonAndTheOthersProceed) {
    const JobId running = make(R"({"type":"a"})");
    t.take_one("a");
    const JobId pending = make(R"({"type":"b"})");
    const BulkRun run = start(Operation::run_now, {}, 2);
    const BulkRun after = step(run.id, {running, pending});
    EXPECT_EQ(after.done, 1);
    EXPECT_EQ(after.skipped.at("wrong_state"), 1);
}

TEST_F(Bulk, ARepeatedStepCountsNothingTwice) {
    const JobId one = make(R"({"type":"a"})");
    const JobId two = make(R"({"type":"a"})");
    const BulkRun run = start(Operation::cancel, {}, 2);
    step(run.id, {one}, false);
    const BulkRun again = step(run.id, {one, two});
    EXPECT_EQ(again.done, 2);
    EXPECT_TRUE(again.skipped.empty());
}

TEST_F(Bulk, AFinishedRunDoesNothingMore) {
    const JobId one = make(R"({"type":"a"})");
    const BulkRun run = start(Operation::cancel, {}, 1);
    const BulkRun finished = step(run.id, {one});
    const JobId late = make(R"({"type":"a"})");
    const BulkRun again = step(run.id, {late});
    EXPECT_EQ(t.status(late), Status::pending);
    EXPECT_EQ(again.done, finished.done);
    EXPECT_EQ(again.cursor, finished.cursor);
}

TEST_F(Bulk, AFinishedRunTouchesNothingThatMatchesLater) {
    const JobId one = make_failed("a");
    const JobId two = make(R"({"type":"b","maxRetries":1})");
    const BulkRun run = start(Operation::retry, {.status = Status::failed}, 1);
    const BulkRun finished = step(run.id, {one});
    ok(t.fail(t.take_one("b")));
    EXPECT_EQ(step(run.id, {one, two}), finished);
    EXPECT_EQ(t.status(two), Status::failed);
}

TEST_F(Bulk, OneThatNoLongerMatchesIsLeftAlone) {
    const JobId id = make(R"({"type":"a"})");
    const BulkRun run = start(Operation::cancel, {.status = Status::pending}, 1);
    t.take_one("a");
    const BulkRun after = step(run.id, {id});
    EXPECT_EQ(after.done, 0);
    EXPECT_EQ(after.skipped.at("no_longer_matching"), 1);
    EXPECT_EQ(t.status(id), Status::running);
}

TEST_F(Bulk, WhatMatchedAtTheStartAndIsNotMetIsAccountedFor) {
    const BulkRun run = start(Operation::cancel, {}, 3);
    EXPECT_EQ(step(run.id, {}).skipped.at("no_longer_matching"), 3);
}

TEST_F(Bulk, AnActionOfAnotherTenantIsNeverTouched) {
    const JobId theirs = make(R"({"type":"a"})", "zeta");
    const BulkRun run = start(Operation::cancel, {}, 1);
    EXPECT_EQ(step(run.id, {theirs}).done, 0);
    EXPECT_EQ(t.get(theirs, "zeta").view.job.status, Status::pending);
}

TEST_F(Bulk, ADryRunCountsAndChangesNothing) {
    const JobId one = make_failed("a");
    const JobId two = make(R"({"type":"b"})");
    const BulkRun run = start(Operation::retry, {}, 2, true);
    const BulkRun after = step(run.id, {one, two});
    EXPECT_EQ(after.done, 1);
    EXPECT_EQ(after.skipped.at("wrong_state"), 1);
    EXPECT_TRUE(after.finished_at.has_value());
    EXPECT_EQ(t.status(one), Status::failed);
}

TEST_F(Bulk, ACancelledHeadLetsItsLockGroupGoOnWithinTheStep) {
    const JobId head = make(R"({"type":"a","lockGroup":"g"})");
    const JobId next = make(R"({"type":"a","lockGroup":"g"})");
    const JobId last = make(R"({"type":"a","lockGroup":"g"})");
    const BulkRun run = start(Operation::cancel, {}, 2);
    EXPECT_EQ(step(run.id, {head, next}).done, 2);
    EXPECT_EQ(t.take_one("a").job.id, last);
}

TEST_F(Bulk, AFinishedRunIsDeletedAfterItsRetention) {
    const BulkRun run = start(Operation::cancel, {}, 0);
    step(run.id, {});
    const PruneBulkRuns prune{.retention = 1h};
    t.advance(1h - 1ms);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(prune)).count, 0);
    t.advance(1ms);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(prune)).count, 1);
    EXPECT_EQ(code_of(t.run(StepBulk{run.id, {}, true})), ProblemCode::not_found);
}

TEST(ActionFilterJson, ComesBackAsItWas) {
    ActionFilter filter;
    filter.status = Status::failed;
    filter.type = "mail \"x\"";
    filter.lock_group = "g";
    filter.chain = *Uuid::parse("019a8f00-0000-7000-8000-000000000001");
    filter.from = *parse_rfc3339("2026-01-01T00:00:00Z");
    filter.to = *parse_rfc3339("2026-02-01T00:00:00Z");
    for (const ActionFilter& each : {filter, ActionFilter{}}) {
        const auto document = json::Document::parse(each.to_json());
        ASSERT_TRUE(document.has_value());
        EXPECT_EQ(std::get<ActionFilter>(ActionFilter::from_json(document->root(), "/filter")),
                  each);
    }
}

TEST(ActionFilterJson, WhatIsWrongIsNamed) {
    const auto problem_of = [](const std::string& text) {
        const auto document = json::Document::parse(text);
        return std::get<Problem>(ActionFilter::from_json(document->root(), "/filter")).pointer;
    };
    EXPECT_EQ(problem_of(R"({"status":"done"})"), "/filter/status");
    EXPECT_EQ(problem_of(R"({"type":7})"), "/filter/type");
    EXPECT_EQ(problem_of(R"({"from":"yesterday"})"), "/filter/from");
    EXPECT_EQ(problem_of(R"({"chainId":"x"})"), "/filter/chainId");
    EXPECT_EQ(problem_of(R"({"stauts":"failed"})"), "/filter/stauts");
    EXPECT_EQ(problem_of("[]"), "/filter");
}

// ---- the decision log's retention ---------------------------------------------------------------

TEST(PruneDecisions, ForgetsWholeDaysAfterTheRetention) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const PruneDecisions prune{.retention = 48h};
    t.advance(48h);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(prune)).count, 0) << "its day is not over yet";
    t.advance(24h);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(prune)).count, 1);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(prune)).count, 0);
}

// ---- resolve ------------------------------------------------------------------------------------

TEST(Resolve, OfWhatIsNotUncertainIsRefusedWithTheState) {
    Tabletop t;
    const JobId id = t.schedule(R"({"type":"a"})").action.job.id;
    const ResolveAction resolve{"default", id, Resolution::completed, "seen at the bank"};
    const auto refused = t.run(resolve);
    ASSERT_EQ(code_of(refused), ProblemCode::wrong_state);
    EXPECT_EQ(std::get<Problem>(refused).state, Status::pending);
    EXPECT_EQ(code_of(t.run(ResolveAction{"zeta", id, Resolution::failed, "x"})),
              ProblemCode::not_found);
}

class ResolveUncertain : public testing::Test {
protected:
    Tabletop t;
    JobId id = t.schedule(R"({"type":"a","payload":{"entityId":1}})").action.job.id;

    void SetUp() override {
        const TakenJob job = t.take_one("a");
        t.edit_job(id, [](Job& edited) {
            edited.status = Status::uncertain;
            edited.place = Place::done;
            edited.lease.reset();
        });
        ASSERT_EQ(job.job.id, id);
    }
    Job resolve(Resolution resolution) {
        return std::get<ActionView>(t.run(ResolveAction{"default", id, resolution, "looked it up"}))
            .job;
    }
};

TEST_F(ResolveUncertain, IsTheOnlyWayOut) {
    const auto completed = t.run(CompleteChain{.tenant = "default", .chain = id});
    ASSERT_EQ(code_of(completed), ProblemCode::wrong_state);
    EXPECT_EQ(std::get<Problem>(completed).state, Status::uncertain);
    EXPECT_EQ(code_of(t.operate(Operation::cancel, id)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(t.run(DeleteChain{.tenant = "default", .chain = id})),
              ProblemCode::wrong_state);
    EXPECT_EQ(t.status(id), Status::uncertain);
}

TEST_F(ResolveUncertain, AsCompletedEndsIt) {
    EXPECT_EQ(resolve(Resolution::completed).status, Status::completed);
    EXPECT_EQ(t.decisions.back().decision, Decision::resolved);
    EXPECT_EQ(t.decisions.back().rule, "completed");
    EXPECT_EQ(t.decisions.back().reason, "looked it up");
}

TEST_F(ResolveUncertain, AsFailedKeepsTheReasonAndCanBeRetried) {
    EXPECT_EQ(resolve(Resolution::failed).status, Status::failed);
    EXPECT_EQ(t.get(id).view.result.error_message, "looked it up");
    EXPECT_FALSE(code_of(t.operate(Operation::retry, id)).has_value());
}

TEST_F(ResolveUncertain, AsRetryRunsItAgain) {
    EXPECT_EQ(resolve(Resolution::retry).status, Status::pending);
    EXPECT_EQ(t.take_one("a").job.attempts, 2);
}

}  // namespace
}  // namespace semel
