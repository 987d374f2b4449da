// What users of chains rely on, on every store: how chains start, go on and end.
#include "conformance/chain_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class ChainBehaviour : public ChainConformance {};
INSTANTIATE_TEST_SUITE_P(Stores, ChainBehaviour, all_stores(), name_of_store);

// ---- going on -----------------------------------------------------------------------------------

TEST_P(ChainBehaviour, StepsFollowOneAnotherToTheEnd) {
    const JobId id = start_id(R"({"type":"a","input":{"n":1}})");
    work_on("a", R"({"type":"b","input":{"n":2}})");
    EXPECT_EQ(status(id), Status::pending);
    const TakenJob second = take_one("b");
    EXPECT_EQ(second.job.chain, id);
    EXPECT_EQ(second.job.chain_index, 1);
    EXPECT_EQ(second.payload, R"({"n":2})");
    expect_ok(continue_with(second, R"({"type":"c"})"));
    work("c", R"({"sum":3})");
    const ChainView view = chain(id);
    EXPECT_EQ(view.last.status, Status::completed);
    EXPECT_EQ(view.last.chain_index, 2);
    EXPECT_EQ(view.result.output, R"({"sum":3})");
    EXPECT_EQ(view.input.payload, R"({"n":1})");
    EXPECT_THAT(types_of(id), ElementsAre("a", "b", "c"));
}

TEST_P(ChainBehaviour, AStepMayBranchLoopAndGoBack) {
    const JobId left = start_id(R"({"type":"choose","input":1})");
    const JobId right = start_id(R"({"type":"choose","input":2})");
    work_on("choose", R"({"type":"left","input":"l"})");
    work_on("choose", R"({"type":"right","input":{"r":true}})");
    work_on("left", R"({"type":"left"})");
    work_on("left", R"({"type":"choose"})");
    work("choose");
    work("right");
    EXPECT_THAT(types_of(left), ElementsAre("choose", "left", "left", "choose"));
    EXPECT_THAT(types_of(right), ElementsAre("choose", "right"));
    EXPECT_EQ(status(left), Status::completed);
    EXPECT_EQ(status(right), Status::completed);
}

TEST_P(ChainBehaviour, AStepIsTheSameWhicheverChainsTypeLedToIt) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId y = start_id(R"({"type":"y"})");
    work_on("x", R"({"type":"shared"})");
    work_on("y", R"({"type":"shared"})");
    const auto jobs = take({"shared"}, 2);
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].job.chain, x);
    EXPECT_EQ(jobs[1].job.chain, y);
    EXPECT_EQ(chain(x).first.type, "x");
    EXPECT_EQ(chain(y).first.type, "y");
}

TEST_P(ChainBehaviour, WhatAStepStartsIsAChainOfItsOwn) {
    const JobId outer = start_id(R"({"type":"a","lockGroup":"g","priority":5,"maxRetries":2})");
    const TakenJob running = take_one("a");
    const JobId inner = start_id(R"({"type":"b"})");
    expect_ok(complete(running));
    const Job job = take_one("b").job;
    EXPECT_EQ(job.chain, inner);
    EXPECT_EQ(job.chain_index, 0);
    EXPECT_EQ(job.lock_group, "");
    EXPECT_EQ(job.priority, 0);
    EXPECT_EQ(job.max_retries, kUnlimitedRetries);
    EXPECT_EQ(status(outer), Status::completed);
    EXPECT_THAT(types_of(outer), ElementsAre("a"));
}

TEST_P(ChainBehaviour, AContinuationMayHaveAnIdOfItsOwn) {
    const JobId id = start_id(R"({"type":"a"})");
    const TakenJob first = take_one("a");
    const JobId own = chosen(77);
    const auto taken = continue_with(first, named(id, "b"));
    EXPECT_EQ(code_of(taken), ProblemCode::conflict);
    EXPECT_EQ(status(id), Status::running) << "it stays with its owner";
    const auto answer = continue_with(first, named(own, "b"));
    ASSERT_EQ(code_of(answer), std::nullopt);
    EXPECT_EQ(std::get<JobAnswer>(answer).next, own);
    EXPECT_EQ(take_one("b").job.id, own);
}

TEST_P(ChainBehaviour, TheRepeatOfACompletionFindsTheStepThatIsThere) {
    const JobId id = start_id(R"({"type":"a"})");
    const TakenJob first = take_one("a");
    const auto once = continue_with(first, R"({"type":"b","input":1})");
    const auto again = continue_with(first, R"({"type":"b","input":1})");
    ASSERT_EQ(code_of(again), std::nullopt);
    EXPECT_EQ(std::get<JobAnswer>(again).next, std::get<JobAnswer>(once).next);
    EXPECT_EQ(code_of(continue_with(first, R"({"type":"b","input":2})")), ProblemCode::conflict);
    EXPECT_THAT(types_of(id), ElementsAre("a", "b"));
}

// ---- starting -----------------------------------------------------------------------------------

TEST_P(ChainBehaviour, ABatchStartsEachOfItsChains) {
    const JobId own = chosen(50);
    const auto started = start_all({named(own, "a"), behind("b", {own}),
                                    R"({"type":"c","schedule":{"afterMs":5000}})",
                                    R"({"type":"d","deduplication":{"key":"k"}})",
                                    R"({"type":"d","deduplication":{"key":"k"}})"});
    std::vector<Status> seen;
    for (const auto& item : started) {
        ASSERT_EQ(code_of(item), std::nullopt);
        seen.push_back(std::get<StartedChain>(item).chain.last.status);
    }
    EXPECT_THAT(seen, ElementsAre(Status::pending, Status::blocked, Status::pending,
                                  Status::pending, Status::pending));
    EXPECT_TRUE(std::get<StartedChain>(started[4]).deduplicated);
    EXPECT_EQ(driver.list_chains(kTenant).size(), 4U);
    EXPECT_THAT(take({"b", "c"}, 10), IsEmpty());
    work("a");
    work("b");
    work("d");
    clock.now += 5s;
    promote();
    work("c");
    EXPECT_EQ(driver.list_chains(kTenant, {.status = Status::completed}).size(), 4U);
    EXPECT_THAT(start_all({}), IsEmpty());
}

TEST_P(ChainBehaviour, AnIdOfTheCallersMakesARepeatHarmless) {
    const JobId own = chosen(60);
    EXPECT_EQ(start_id(named(own, "a")), own);
    EXPECT_TRUE(start(named(own, "a")).deduplicated);
    EXPECT_EQ(code_of(start_all({named(own, "b")}).front()), ProblemCode::conflict);
    EXPECT_EQ(driver.list_chains(kTenant).size(), 1U);
}

// ---- time ---------------------------------------------------------------------------------------

TEST_P(ChainBehaviour, AStartMayBeForLater) {
    const std::string at = format_rfc3339(now() + 60s);
    start(R"({"type":"after","schedule":{"afterMs":60000}})");
    start(R"({"type":"at","schedule":{"at":")" + at + R"("}})");
    EXPECT_THAT(take({"after", "at"}, 2), IsEmpty());
    clock.now += 60s - 1ms;
    promote();
    EXPECT_THAT(take({"after", "at"}, 2), IsEmpty());
    clock.now += 1ms;
    promote();
    EXPECT_EQ(take({"after", "at"}, 2).size(), 2U);
}

TEST_P(ChainBehaviour, AContinuationMayBeForLater) {
    const std::string at = format_rfc3339(now() + 60s);
    start(R"({"type":"a"})");
    start(R"({"type":"a"})");
    work_on("a", R"({"type":"after","schedule":{"afterMs":60000}})");
    work_on("a", R"({"type":"at","schedule":{"at":")" + at + R"("}})");
    promote();
    EXPECT_THAT(take({"after", "at"}, 2), IsEmpty());
    clock.now += 60s;
    promote();
    EXPECT_EQ(take({"after", "at"}, 2).size(), 2U);
}

TEST_P(ChainBehaviour, APastTimeMeansNow) {
    const std::string past = format_rfc3339(kStart - 1h);
    const std::string when = R"("schedule":{"at":")" + past + R"("})";
    const JobId id = start_id(R"({"type":"a",)" + when + "}");
    EXPECT_EQ(job(id).scheduled_at, now());
    work_on("a", R"({"type":"b",)" + when + "}");
    EXPECT_EQ(take_one("b").job.scheduled_at, now());
}

TEST_P(ChainBehaviour, AFailureMayNameItsOwnWait) {
    const JobId id = start_id(R"({"type":"a"})");
    JobCall call;
    call.error = "later";
    call.retry_after = 90s;
    expect_ok(this->call(take_one("a"), Verb::fail, call));
    EXPECT_EQ(job(id).scheduled_at, now() + 90s);
    clock.now += 90s;
    promote();
    call.retry_after = 0s;
    expect_ok(this->call(take_one("a"), Verb::fail, call));
    EXPECT_EQ(take({"a"}).size(), 1U) << "no wait: due at once";
}

TEST_P(ChainBehaviour, RunNowEndsADelay) {
    const JobId id = start_id(R"({"type":"a","schedule":{"afterMs":3600000}})");
    EXPECT_THAT(take({"a"}), IsEmpty());
    expect_ok(operate(Operation::run_now, id));
    EXPECT_EQ(job(id).scheduled_at, now());
    work("a");
    EXPECT_EQ(code_of(operate(Operation::run_now, id)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(operate(Operation::run_now, chosen(9))), ProblemCode::not_found);
}

// ---- work ---------------------------------------------------------------------------------------

TEST_P(ChainBehaviour, WorkIsDoneInTheOrderOfItsTime) {
    const JobId late = start_id(R"({"type":"a","schedule":{"afterMs":2000}})");
    const JobId early = start_id(R"({"type":"a","schedule":{"afterMs":1000}})");
    clock.now += 3s;
    promote();
    const JobId now = start_id(R"({"type":"a"})");
    const auto jobs = take({"a"}, 3);
    ASSERT_EQ(jobs.size(), 3U);
    EXPECT_EQ(jobs[0].job.id, early);
    EXPECT_EQ(jobs[1].job.id, late);
    EXPECT_EQ(jobs[2].job.id, now);
}

TEST_P(ChainBehaviour, AnAttemptKnowsItsNumberAndASuccessClearsTheError) {
    const JobId id = start_id(R"({"type":"a"})");
    const TakenJob first = take_one("a");
    EXPECT_EQ(first.job.attempts, 1);
    expect_ok(fail(first));
    EXPECT_EQ(chain(id).result.error_message, "boom");
    clock.now += 10s;
    promote();
    const TakenJob second = take_one("a");
    EXPECT_EQ(second.job.attempts, 2);
    expect_ok(complete(second, "1"));
    EXPECT_EQ(chain(id).result.error_message, std::nullopt);
    EXPECT_EQ(chain(id).result.output, "1");
}

TEST_P(ChainBehaviour, RepeatedFailuresWaitTwiceAsLongUpToFiveMinutes) {
    const JobId id = start_id(R"({"type":"a"})");
    for (const auto& wait : {10s, 20s, 40s, 80s, 160s, 300s, 300s}) {
        expect_ok(fail(take_one("a")));
        ASSERT_EQ(job(id).scheduled_at - now(), wait);
        clock.now += wait;
        promote();
    }
}

TEST_P(ChainBehaviour, AnOverdueOwnerMayExtendUntilSomebodyTookOver) {
    const JobId id = start_id(R"({"type":"a"})");
    const TakenJob lost = take_one("a");
    clock.now += kLeaseDefault;
    expect_ok(call(lost, Verb::heartbeat));
    rescue();
    EXPECT_EQ(status(id), Status::running) << "it was extended";
    clock.now += kLeaseDefault;
    rescue();
    const TakenJob taken = take_one("a");
    EXPECT_EQ(taken.job.attempts, 2);
    for (const Verb verb : {Verb::heartbeat, Verb::complete, Verb::fail}) {
        EXPECT_EQ(code_of(call(lost, verb)), ProblemCode::stale_token);
    }
    EXPECT_EQ(code_of(continue_with(lost, R"({"type":"b"})")), ProblemCode::stale_token);
    expect_ok(continue_with(taken, R"({"type":"c"})"));
    EXPECT_THAT(types_of(id), ElementsAre("a", "c"));
}

// ---- without a worker ---------------------------------------------------------------------------

TEST_P(ChainBehaviour, AChainIsCompletedWithoutAWorker) {
    const JobId id = start_id(R"({"type":"a"})");
    expect_ok(complete_chain(id, 0, {}, R"({"type":"b"})"));
    expect_ok(complete_chain(id, 1, {}, R"({"type":"c"})"));
    expect_ok(complete_chain(id, 2, "7"));
    EXPECT_EQ(status(id), Status::completed);
    EXPECT_EQ(chain(id).result.output, "7");
    EXPECT_THAT(take({"a", "b", "c"}, 3), IsEmpty());
}

TEST_P(ChainBehaviour, WhatIsCompletedWithoutAWorkerMayGoOnWithOne) {
    const JobId id = start_id(R"({"type":"a"})");
    expect_ok(complete_chain(id, 0, {}, R"({"type":"b"})"));
    work_on("b", R"({"type":"c"})");
    const TakenJob running = take_one("c");
    expect_ok(complete_chain(id, 2, "1"));
    EXPECT_EQ(code_of(complete(running, "2")), ProblemCode::stale_token);
    EXPECT_EQ(chain(id).result.output, "1");
}

TEST_P(ChainBehaviour, ARepeatWithoutAWorkerCompletesNothingElse) {
    const JobId id = start_id(R"({"type":"a"})");
    expect_ok(complete_chain(id, 0, {}, R"({"type":"b"})"));
    expect_ok(complete_chain(id, 0, {}, R"({"type":"b"})"));
    EXPECT_EQ(code_of(complete_chain(id, 0, "1")), ProblemCode::conflict);
    EXPECT_EQ(code_of(complete_chain(id, 2, "1")), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(complete_chain(chosen(9), 0, "1")), ProblemCode::not_found);
    EXPECT_EQ(status(id), Status::pending);
    EXPECT_THAT(types_of(id), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace semel::test
