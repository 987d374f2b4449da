#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

TEST(Take, CountsTheAttemptAndGivesATokenAndALease) {
    Tabletop t;
    t.schedule(R"({"type":"a","payload":{"x":1}})");
    const TakenJob taken = t.take_one("a");
    EXPECT_EQ(taken.job.attempts, 1);
    EXPECT_EQ(taken.payload, R"({"x":1})");
    EXPECT_EQ(taken.job.lease->until, t.now + 15s);
    EXPECT_GE(to_int(taken.job.token), to_ms(t.now));
    EXPECT_EQ(t.status(taken.job.id), Status::running);
    EXPECT_TRUE(t.take({"a"}).empty());
}

TEST(Take, AnActionThatNobodyHandlesBurnsNoAttempts) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"unheard"})");
    EXPECT_TRUE(t.take({"a", "b"}, 10).empty());
    EXPECT_EQ(t.job(made.action.job.id).attempts, 0);
}

TEST(Complete, RecordsOutputAndHistory) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    t.advance(100ms);
    const JobAnswer answer = ok(t.complete(job, R"({"sent": true})"));
    EXPECT_EQ(answer.status, Status::completed);
    const ActionDetails shown = t.get(job.job.id);
    EXPECT_EQ(shown.view.result.output, R"({"sent": true})");
    EXPECT_EQ(shown.view.job.completed_at, t.now);
    ASSERT_EQ(shown.history.size(), 1U);
    EXPECT_EQ(shown.history[0].end, AttemptEnd::completed);
    EXPECT_EQ(shown.history[0].worker, "w");
    EXPECT_EQ(shown.history[0].ended_at - shown.history[0].started_at, 100ms);
}

TEST(Tokens, ARepeatGetsTheSameAnswerOtherContentAConflictAnotherVerbWrongState) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    ok(t.complete(job, R"({"a":1,"b":2})"));
    const JobAnswer again = ok(t.complete(job, R"({"b":2, "a":1.0})"));  // the same content
    EXPECT_EQ(again.status, Status::completed);
    EXPECT_EQ(again.token, job.job.token);
    EXPECT_EQ(code_of(t.complete(job, R"({"a":2})")), ProblemCode::conflict);
    EXPECT_EQ(code_of(t.complete(job)), ProblemCode::conflict);
    EXPECT_EQ(code_of(t.fail(job)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(t.heartbeat(job)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(t.release(job)), ProblemCode::wrong_state);
    EXPECT_EQ(t.get(job.job.id).view.result.output, R"({"a":1,"b":2})");
    EXPECT_EQ(t.get(job.job.id).history.size(), 1U);
}

TEST(Tokens, ARepeatedFailureIsAnsweredUntilTheJobIsClaimedAgain) {
    Tabletop t;
    t.schedule(R"({"type":"a","backoff":{"kind":"fixed","delayMs":0}})");
    const TakenJob first = t.take_one("a");
    EXPECT_EQ(ok(t.fail(first)).status, Status::pending);
    EXPECT_EQ(ok(t.fail(first)).status, Status::pending);
    EXPECT_EQ(t.job(first.job.id).attempts, 1);
    EXPECT_EQ(code_of(t.fail(first, "something else")), ProblemCode::conflict);
    const TakenJob second = t.take_one("a");
    EXPECT_GT(second.job.token, first.job.token);
    EXPECT_EQ(code_of(t.fail(first)), ProblemCode::stale_token);
    ok(t.complete(second));
}

TEST(Tokens, EveryVerbNamesTheCurrentToken) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    TakenJob job = t.take_one("a");
    for (const std::int64_t by : {-1, 1, 1000}) {
        TakenJob forged = job;
        forged.job.token = Token{to_int(job.job.token) + by};
        EXPECT_EQ(code_of(t.complete(forged)), ProblemCode::stale_token);
        EXPECT_EQ(code_of(t.fail(forged)), ProblemCode::stale_token);
        EXPECT_EQ(code_of(t.heartbeat(forged)), ProblemCode::stale_token);
        EXPECT_EQ(code_of(t.release(forged)), ProblemCode::stale_token);
    }
    EXPECT_EQ(t.status(job.job.id), Status::running);
    ok(t.complete(job));
}

TEST(Tokens, ANeverTakenJobAcceptsNoToken) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a"})");
    EXPECT_EQ(code_of(t.call({.id = made.action.job.id, .token = Token::none})),
              ProblemCode::stale_token);
    EXPECT_EQ(t.status(made.action.job.id), Status::pending);
}

TEST(Tokens, AnOverdueOwnerIsAcceptedUntilSomeoneTookOver) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    t.advance(1h);
    ok(t.heartbeat(job));
    EXPECT_EQ(t.rescue().count, 0);
    t.advance(1h);
    ok(t.complete(job));
    EXPECT_EQ(t.rescue().count, 0);
}

TEST(Heartbeat, ExtendsTheLease) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    t.advance(10s);
    EXPECT_EQ(ok(t.heartbeat(job, 60s)).lease_until, t.now + 60s);
    t.advance(59s);
    EXPECT_EQ(t.rescue().count, 0);
    t.advance(1s);
    EXPECT_EQ(t.rescue().count, 1);
}

TEST(Heartbeat, WithoutALeaseNeverShortensIt) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    ok(t.heartbeat(job, 600s));
    const Time until = t.now + 600s;
    t.advance(10s);
    EXPECT_EQ(ok(t.heartbeat(job, std::nullopt)).lease_until, until);
    EXPECT_EQ(ok(t.heartbeat(job, 20s)).lease_until, t.now + 20s) << "asked for is asked for";
    EXPECT_EQ(ok(t.heartbeat(job, 1s)).lease_until, t.now + 1s);
    EXPECT_EQ(ok(t.heartbeat(job, std::nullopt)).lease_until, t.now + 15s);
}

TEST(Release, ChargesNoAttemptKeepsTheTimeAndTheHistory) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","maxRetries":1})");
    const TakenJob first = t.take_one("a");
    t.advance(1s);
    EXPECT_EQ(ok(t.release(first)).status, Status::pending);
    const Job job = t.job(made.action.job.id);
    EXPECT_EQ(job.attempts, 0);
    EXPECT_EQ(job.scheduled_at, made.action.job.scheduled_at);
    const TakenJob second = t.take_one("a");
    EXPECT_EQ(second.job.attempts, 1);
    EXPECT_EQ(ok(t.fail(second)).status, Status::failed);
    const auto history = t.get(made.action.job.id).history;
    ASSERT_EQ(history.size(), 2U);
    EXPECT_EQ(history[0].end, AttemptEnd::released);
    EXPECT_EQ(history[1].end, AttemptEnd::failed);
}

TEST(Fail, FinalAndRetryAfterAreTheWorkersWord) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob first = t.take_one("a");
    JobCall later{.id = first.job.id, .token = first.job.token, .verb = Verb::fail, .error = "x"};
    later.retry_after = 7s;
    ok(t.call(later));
    EXPECT_EQ(t.job(first.job.id).scheduled_at, t.now + 7s);
    t.advance(7s);
    t.promote();
    EXPECT_EQ(ok(t.fail(t.take_one("a"), "no use", true)).status, Status::failed);
    EXPECT_EQ(t.get(first.job.id).view.result.error_message, "no use");
}

TEST(Settle, OneCommitAnswersEachCallAsIfItWereAlone) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    t.schedule(R"({"type":"a"})");
    const auto jobs = t.take({"a"}, 2);
    SettleJobs settle;
    settle.tenant = "default";
    settle.calls = {JobCall{.id = jobs[0].job.id, .token = jobs[0].job.token},
                    JobCall{.id = jobs[0].job.id, .token = jobs[0].job.token},
                    JobCall{.id = JobId{}, .token = Token{1}},
                    JobCall{.id = jobs[1].job.id, .token = Token{1}},
                    JobCall{.id = jobs[1].job.id, .token = jobs[1].job.token, .verb = Verb::fail}};
    const auto answers = std::get<SettleJobs::Outcome>(t.run(settle));
    EXPECT_EQ(ok(answers[0]).status, Status::completed);
    EXPECT_EQ(ok(answers[1]).status, Status::completed);
    EXPECT_EQ(code_of(answers[2]), ProblemCode::not_found);
    EXPECT_EQ(code_of(answers[3]), ProblemCode::stale_token);
    EXPECT_EQ(ok(answers[4]).status, Status::pending);
}

// Contract section 9, number 7: maxRetries 3 gave 4 executions, the first retry at once.
TEST(SeedDefects, N07_MaxRetriesIsTheTotalOfAttemptsWithLinearBackoff) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a"})");
    const JobId id = made.action.job.id;
    ok(t.fail(t.take_one("a")));
    EXPECT_EQ(t.job(id).scheduled_at, t.now + 5min);
    t.advance(5min);
    t.promote();
    ok(t.fail(t.take_one("a")));
    EXPECT_EQ(t.job(id).scheduled_at, t.now + 10min);
    t.advance(10min);
    t.promote();
    EXPECT_EQ(ok(t.fail(t.take_one("a"))).status, Status::failed);
    EXPECT_EQ(t.job(id).attempts, 3);
    t.advance(24h);
    t.promote();
    EXPECT_TRUE(t.take({"a"}).empty());
}

// Contract section 9, number 6: two overlapping runs executed every action twice.
TEST(SeedDefects, N06_TwoTakesInOneCommitNeverShareAJob) {
    Tabletop t;
    for (int i = 0; i < 10; ++i) t.schedule(R"({"type":"a"})");
    TakeJobs take;
    take.query = ReadyQuery{.tenant = "default", .types = {"a"}, .limit = 10};
    take.worker = "w";
    take.lease = 15s;
    const auto replies = t.run_batch<TakeJobs>({take, take});
    EXPECT_EQ(std::get<TakeJobs::Outcome>(replies[0]).size(), 10U);
    EXPECT_EQ(std::get<TakeJobs::Outcome>(replies[1]).size(), 0U);
}

}  // namespace
}  // namespace semel
