// Chains: starting, continuing, completing without a worker, retention.
#include "support/chain_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ChainTable;
using test::code_of;
using test::ok;

TEST(Chain, CreatesASingleChain) {
    ChainTable t;
    const StartedChain started = t.start(R"({"type":"a","input":{"x":1}})");
    EXPECT_FALSE(started.deduplicated);
    const Job& job = started.chain.first;
    EXPECT_EQ(job.chain, job.id);
    EXPECT_EQ(job.chain_index, 0);
    EXPECT_EQ(job.status, Status::pending);
    EXPECT_EQ(job.max_retries, kUnlimitedRetries);
    EXPECT_EQ(started.chain.input.payload, R"({"x":1})");
    EXPECT_EQ(t.take_one("a").payload, R"({"x":1})");
}

TEST(Chain, RetriesWaitTenSecondsThenTwiceAsLongUpToFiveMinutes) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    for (const auto& wait : {10s, 20s, 40s, 80s, 160s, 300s, 300s}) {
        const TakenJob job = t.take_one("a");
        EXPECT_EQ(ok(t.fail(job)).status, Status::pending);
        EXPECT_EQ(t.job(id).scheduled_at - t.now, wait);
        t.advance(wait);
        t.promote();
    }
}

TEST(Chain, HandlesChainedJobs) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    const JobAnswer answer =
        ok(t.continue_with(t.take_one("a"), R"({"type":"b","input":{"from":"a"}})"));
    EXPECT_EQ(answer.status, Status::completed);
    ASSERT_TRUE(answer.next.has_value());
    EXPECT_EQ(t.chain_status(id), Status::pending);
    const TakenJob second = t.take_one("b");
    EXPECT_EQ(second.job.id, *answer.next);
    EXPECT_EQ(second.job.chain, id);
    EXPECT_EQ(second.job.chain_index, 1);
    EXPECT_EQ(second.payload, R"({"from":"a"})");
    ok(t.complete(second, R"({"done":true})"));
    const ChainView view = t.chain(id);
    EXPECT_EQ(view.last.status, Status::completed);
    EXPECT_EQ(view.result.output, R"({"done":true})");
    EXPECT_EQ(view.first.type, "a");
    EXPECT_EQ(view.last.chain_index, 1);
}

TEST(Chain, HandlesLoops) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    for (int i = 0; i < 20; ++i) ok(t.continue_with(t.take_one("a"), R"({"type":"a"})"));
    t.work("a", "7");
    const auto steps = t.steps(id);
    ASSERT_EQ(steps.size(), 21U);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].view.job.chain_index, static_cast<int>(i));
        EXPECT_EQ(steps[i].view.job.status, Status::completed);
    }
    EXPECT_EQ(t.chain(id).result.output, "7");
}

TEST(Chain, ContinuationsInheritWhatIsNotGiven) {
    ChainTable t;
    t.start(R"({"type":"a","lockGroup":"g","priority":5,"maxRetries":2,"timeoutMs":700,
                "backoff":{"kind":"fixed","delayMs":9}})");
    ok(t.continue_with(t.take_one("a"), R"({"type":"b","priority":6})"));
    const Job job = t.take_one("b").job;
    EXPECT_EQ(job.lock_group, "g");
    EXPECT_EQ(job.priority, 6);
    EXPECT_EQ(job.max_retries, 2);
    EXPECT_EQ(job.timeout, 700ms);
    EXPECT_EQ(job.backoff.kind, Backoff::Kind::fixed);
}

TEST(Chain, AnActionMayContinueToo) {
    ChainTable t;
    const auto action = t.schedule(R"({"type":"a"})");
    const JobAnswer answer = ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    EXPECT_EQ(t.job(*answer.next).chain, action.action.job.id);
    t.work("b", "1");
    EXPECT_EQ(t.chain(action.action.job.id).result.output, "1");
}

TEST(Chain, ARepeatedCompletionFindsTheJobThatIsThere) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    const JobAnswer first = ok(t.continue_with(job, R"({"type":"b","input":{"x":1,"y":2}})"));
    const JobAnswer again = ok(t.continue_with(job, R"({"type":"b","input":{"y":2.0,"x":1}})"));
    EXPECT_EQ(again.next, first.next);
    EXPECT_EQ(t.steps(id).size(), 2U);
    const auto other = t.continue_with(job, R"({"type":"b","input":{"x":1,"y":3}})");
    EXPECT_EQ(code_of(other), ProblemCode::conflict);
    EXPECT_EQ(std::get<Problem>(other).diff_json,
              R"([{"op":"replace","path":"/continueWith/input/y","value":3}])");
    EXPECT_EQ(code_of(t.complete(job, "1")), ProblemCode::conflict);
    EXPECT_EQ(t.steps(id).size(), 2U);
}

TEST(Chain, AnOptionThatIsSpelledOutAndWouldBeSoAnywayIsTheSameContent) {
    ChainTable t;
    t.start(R"({"type":"a","priority":3,"lockGroup":"g"})");
    const TakenJob job = t.take_one("a");
    const JobAnswer first = ok(t.continue_with(job, R"({"type":"b"})"));
    const JobAnswer again = ok(t.continue_with(
        job, R"({"type":"b","input":{},"priority":3,"lockGroup":"g","maxRetries":null,
                 "blockers":[],"schedule":{"afterMs":0},"onBlockerFailed":"fail",
                 "backoff":{"kind":"exponential","baseMs":10000,"factor":2,"maxMs":300000}})"));
    EXPECT_EQ(again.next, first.next);
    EXPECT_EQ(code_of(t.continue_with(job, R"({"type":"b","priority":0})")), ProblemCode::conflict)
        << "3 is inherited";
}

TEST(Chain, WhatDiffersInAContinuationIsTold) {
    ChainTable t;
    const std::string other = t.start_id(R"({"type":"x"})").to_string();
    const std::string id = "01890000-0000-7000-8000-000000000001";
    t.start(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    ok(t.continue_with(job, R"({"type":"b","blockers":[{"type":"y"}]})"));
    const auto diff_to = [&](const std::string& members) {
        const auto refused = t.continue_with(job, R"({"type":"b",)" + members + "}");
        EXPECT_EQ(code_of(refused), ProblemCode::conflict) << members;
        const auto* problem = std::get_if<Problem>(&refused);
        return problem != nullptr ? problem->diff_json : "";
    };
    const auto patch = [](const std::string& op, const std::string& path,
                          const std::string& value) {
        const std::string end = value.empty() ? "" : R"(,"value":)" + value;
        return R"([{"op":")" + op + R"(","path":"/continueWith/)" + path + "\"" + end + "}]";
    };
    const std::string same = R"("blockers":[{"type":"y"}],)";
    EXPECT_EQ(diff_to(same + R"("priority":1)"), patch("replace", "priority", "1"));
    EXPECT_EQ(diff_to(same + R"("maxRetries":5)"), patch("replace", "maxRetries", "5"));
    EXPECT_EQ(diff_to(same + R"("timeoutMs":900)"), patch("replace", "timeoutMs", "900"));
    EXPECT_EQ(diff_to(same + R"("lockGroup":"g")"), patch("replace", "lockGroup", R"("g")"));
    EXPECT_EQ(diff_to(same + R"("onBlockerFailed":"wait")"),
              patch("replace", "onBlockerFailed", R"("wait")"));
    EXPECT_EQ(diff_to(same + R"("schedule":{"afterMs":5000})"),
              patch("add", "schedule", R"({"afterMs":5000})"));
    EXPECT_EQ(diff_to(same + R"("schedule":{"at":"2030-01-01T00:00:00Z"})"),
              patch("add", "schedule", R"({"at":"2030-01-01T00:00:00.000Z"})"));
    EXPECT_EQ(diff_to(R"("blockers":[{"type":"y"},")" + other + "\"]"),
              patch("add", "blockers/1", "\"" + other + "\""));
    EXPECT_EQ(diff_to(R"("blockers":[])"), patch("remove", "blockers/0", ""));
    EXPECT_NE(diff_to(same + R"("id":")" + id + "\"").find("/continueWith/id"), std::string::npos);
    // What the job does not show.
    EXPECT_NE(diff_to(R"("blockers":[{"type":"z"}])").find("/continueWith/blockers/0"),
              std::string::npos);
}

TEST(Chain, WhatWasGivenOnceAndNotAgainIsTold) {
    ChainTable t;
    t.start(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    ok(t.continue_with(job,
                       R"({"type":"b","id":"01890000-0000-7000-8000-000000000001","priority":2})"));
    const auto refused = t.continue_with(job, R"({"type":"b","priority":2})");
    EXPECT_EQ(code_of(refused), ProblemCode::conflict);
    EXPECT_EQ(std::get<Problem>(refused).diff_json,
              R"([{"op":"remove","path":"/continueWith/id"}])");
}

TEST(Chain, ContinueWithScheduleDefersTheContinuation) {
    ChainTable t;
    t.start(R"({"type":"a"})");
    const JobAnswer answer =
        ok(t.continue_with(t.take_one("a"), R"({"type":"b","schedule":{"afterMs":5000}})"));
    EXPECT_EQ(t.job(*answer.next).scheduled_at, t.now + 5s);
    EXPECT_TRUE(t.take({"b"}).empty());
    t.advance(5s);
    t.promote();
    EXPECT_EQ(t.take_one("b").job.id, *answer.next);
}

TEST(Chain, APastTimeMeansNow) {
    ChainTable t;
    const Job job = t.start(R"({"type":"a","schedule":{"at":"2020-01-01T00:00:00Z"}})").chain.first;
    EXPECT_EQ(job.scheduled_at, t.now);
    EXPECT_EQ(job.place, Place::ready);
}

TEST(Chain, UsesCallerSuppliedIdsAndTheSameRequestAgainIsDeduplicated) {
    ChainTable t;
    const std::string id = "01890000-0000-7000-8000-000000000001";
    const std::string request = R"({"id":")" + id + R"(","type":"a","input":[1]})";
    EXPECT_EQ(t.start(request).chain.first.id.to_string(), id);
    EXPECT_TRUE(t.start(request).deduplicated);
    const auto other = t.try_start(R"({"id":")" + id + R"(","type":"a","input":[2]})");
    EXPECT_EQ(code_of(other), ProblemCode::conflict);
    EXPECT_FALSE(std::get<Problem>(other).diff_json.empty());
    // Tenants never meet: another one learns that it is taken and nothing more.
    const auto foreign = t.try_start(request, "other");
    EXPECT_EQ(code_of(foreign), ProblemCode::conflict);
    EXPECT_TRUE(std::get<Problem>(foreign).diff_json.empty());
    EXPECT_FALSE(std::get<Problem>(foreign).existing_id.has_value());
}

TEST(Chain, AnIdThatIsNoUuidOfVersion7IsRefused) {
    ChainTable t;
    for (const char* id :
         {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
          "01890000-0000-4000-8000-000000000001", "01890000-0000-7000-c000-000000000001"}) {
        const auto item = t.chain_request(std::string(R"({"type":"a","id":")") + id + "\"}");
        ASSERT_EQ(code_of(item), ProblemCode::invalid) << id;
        EXPECT_EQ(std::get<Problem>(item).pointer, "/id");
    }
}

TEST(Chain, WhatCannotBeSentInPartsIsNotSaidToBe) {
    ChainTable t;
    std::string ids;
    for (int i = 0; i < 101; ++i) {
        ids += (i == 0 ? "\"" : ",\"") + std::string("01890000-0000-7000-8000-000000000001\"");
    }
    const auto item = t.chain_request(
        R"({"type":"a","deduplication":{"key":"k","excludeChainIds":[)" + ids + "]}}");
    ASSERT_EQ(code_of(item), ProblemCode::too_large);
    EXPECT_EQ(std::get<Problem>(item).detail,
              "`excludeChainIds` has 101 items, at most 100 are taken");
}

TEST(Chain, AContinuationsIdThatIsTakenUndoesTheCompletion) {
    ChainTable t;
    const JobId other = t.start_id(R"({"type":"z"})");
    t.start(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    const auto answer = t.continue_with(job, R"({"type":"b","id":")" + other.to_string() + R"("})");
    EXPECT_EQ(code_of(answer), ProblemCode::conflict);
    EXPECT_EQ(t.status(job.job.id), Status::running);
    ok(t.continue_with(job, R"({"type":"b"})"));
}

TEST(Chain, ALostStepIsRetriedAndCountedAtTheClaim) {  // contract section 9, number 4
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a","maxRetries":2})");
    for (int attempt = 1; attempt <= 2; ++attempt) {
        EXPECT_EQ(t.take_one("a").job.attempts, attempt);
        t.advance(15s);
        t.rescue();
    }
    EXPECT_EQ(t.chain_status(id), Status::failed);
}

// Contract section 9, number 4, where retries have no end: lost leases in a row have one.
TEST(SeedDefects, N04_AStepThatKillsItsProcessEndsFailed) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    for (int attempt = 1; attempt <= kLostInARowMax; ++attempt) {
        EXPECT_EQ(t.take_one("b").job.attempts, attempt);
        t.advance(15s);
        EXPECT_EQ(t.rescue().count, 1);
        t.advance(1h);
        t.promote();
    }
    EXPECT_EQ(t.chain_status(id), Status::failed);
    EXPECT_EQ(t.chain(id).result.error_code, "lost");
    EXPECT_TRUE(t.take({"b"}).empty());
}

TEST(Chain, CompletesWithoutAWorker) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    const auto answer = t.complete_chain(id, 0, R"({"by":"hand"})");
    ASSERT_EQ(code_of(answer), std::nullopt);
    EXPECT_EQ(t.chain_status(id), Status::completed);
    EXPECT_TRUE(t.take({"a"}).empty());
    // The same content again: the same answer; other content is refused.
    EXPECT_EQ(std::get<JobAnswer>(t.complete_chain(id, 0, R"({"by":"hand"})")).token,
              std::get<JobAnswer>(answer).token);
    EXPECT_EQ(code_of(t.complete_chain(id, 0, "2")), ProblemCode::conflict);
    EXPECT_EQ(code_of(t.complete_chain(id, 1, "2")), ProblemCode::wrong_state);
    EXPECT_EQ(t.chain(id).result.output, R"({"by":"hand"})");
}

TEST(Chain, CompletingWithoutAWorkerFencesTheOneThatRuns) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    CompleteChain command{.tenant = "default", .chain = id};
    command.continue_with = t.continuation(R"({"type":"b"})");
    const auto answer = t.run(command);
    ASSERT_EQ(code_of(answer), std::nullopt);
    EXPECT_EQ(code_of(t.complete(job)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.heartbeat(job)), ProblemCode::stale_token);
    EXPECT_EQ(t.chain(id).last.id, *std::get<JobAnswer>(answer).next);
    // A repeat finds the step that it named, and not the next one.
    EXPECT_EQ(std::get<JobAnswer>(t.run(command)).next, std::get<JobAnswer>(answer).next);
    EXPECT_EQ(t.steps(id).size(), 2U);
    EXPECT_EQ(t.get(id).history.back().end, AttemptEnd::cancelled);
}

TEST(Chain, IsCancelledByItsCurrentJob) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    ok(t.continue_with(t.take_one("a"), R"({"type":"b"})"));
    const TakenJob running = t.take_one("b");
    ASSERT_EQ(code_of(t.cancel_chain(id)), std::nullopt);
    EXPECT_EQ(t.chain_status(id), Status::cancelled);
    EXPECT_EQ(code_of(t.complete(running)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.cancel_chain(id)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(t.cancel_chain(running.job.id)), ProblemCode::not_found);
}

TEST(Chain, GoesWholeAfterItsLastJob) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a","deduplication":{"key":"k","scope":"any"}})");
    for (int i = 0; i < 3; ++i) ok(t.continue_with(t.take_one("a"), R"({"type":"a"})"));
    t.advance(t.settings.job_retention + 1ms);
    EXPECT_EQ(t.prune().count, 0);  // its first jobs are old, but it goes on
    t.work("a");
    t.advance(t.settings.job_retention);
    EXPECT_EQ(t.prune().count, 4);
    EXPECT_FALSE(t.find_chain(id).has_value());
    EXPECT_TRUE(t.list().empty());
    // Its key is remembered.
    const StartedChain again = t.start(R"({"type":"a","deduplication":{"key":"k","scope":"any"}})");
    EXPECT_TRUE(again.purged);
    EXPECT_EQ(again.chain.first.id, id);
    EXPECT_EQ(again.chain.last.status, Status::completed);
}

TEST(Chain, ALongOneIsPrunedInParts) {
    ChainTable t;
    const JobId id = t.start_id(R"({"type":"a"})");
    constexpr int kSteps = 1200;
    for (int i = 1; i < kSteps; ++i) ok(t.continue_with(t.take_one("a"), R"({"type":"a"})"));
    t.work("a");
    t.advance(t.settings.job_retention);
    int pruned = t.prune().count;
    ASSERT_LT(pruned, kSteps);
    // The steps that are left have its id.
    const auto again = t.try_start(R"({"type":"a","id":")" + id.to_string() + R"("})");
    EXPECT_EQ(code_of(again), ProblemCode::conflict);
    for (bool more = true; more;) {
        const UpkeepOutcome outcome = t.prune();
        pruned += outcome.count;
        more = outcome.more;
    }
    EXPECT_EQ(pruned, kSteps);
    EXPECT_TRUE(t.list().empty());
    EXPECT_FALSE(t.find_chain(id).has_value());
}

}  // namespace
}  // namespace semel
