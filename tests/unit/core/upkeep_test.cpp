#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

// Contract section 9, number 4: a job that killed its process was retried at once for ever.
TEST(SeedDefects, N04_AJobThatKillsItsProcessEndsFailed) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a"})");
    const JobId id = made.action.job.id;
    for (int attempt = 1; attempt <= 3; ++attempt) {
        t.promote();
        EXPECT_EQ(t.take_one("a").job.attempts, attempt);
        t.advance(15s);
        EXPECT_EQ(t.rescue().count, 1);
        t.advance(1h);
    }
    EXPECT_EQ(t.status(id), Status::failed);
    EXPECT_EQ(t.get(id).view.result.error_code, "lost");
    t.promote();
    EXPECT_TRUE(t.take({"a"}).empty());
}

TEST(LostLease, ATakeoverStandsInTheDecisionLog) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","payload":{"entityId":"e"}})");
    t.take_one("a");
    t.advance(15s);
    t.rescue();
    ASSERT_EQ(t.decisions.size(), 2U);
    EXPECT_NE(t.decisions[0].key, "");
    EXPECT_EQ(t.decisions[1].key, t.decisions[0].key);
    EXPECT_EQ(t.decisions[1].decision, Decision::takeover);
    EXPECT_EQ(t.decisions[1].rule, "lost");
    EXPECT_EQ(t.decisions[1].effect_id, made.action.job.id);
}

TEST(LostLease, TheFirstInARowIsDueAtOnceTheSecondWaits) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","maxRetries":10})");
    t.take_one("a");
    t.advance(15s);
    t.rescue();
    EXPECT_EQ(t.job(made.action.job.id).scheduled_at, t.now);
    t.take_one("a");
    t.advance(15s);
    t.rescue();
    EXPECT_EQ(t.job(made.action.job.id).scheduled_at, t.now + 10min);
}

TEST(LostLease, FiveInARowEndItEvenWithRetriesLeft) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","maxRetries":1000})");
    int lost = 0;
    while (t.status(made.action.job.id) != Status::failed) {
        t.advance(24h);
        t.promote();
        t.take_one("a");
        t.advance(15s);
        t.rescue();
        ASSERT_LE(++lost, 5);
    }
    EXPECT_EQ(lost, 5);
}

TEST(LostLease, AReportedFailureStartsTheRowAnew) {
    Tabletop t;
    const auto made =
        t.schedule(R"({"type":"a","maxRetries":1000,"backoff":{"kind":"fixed","delayMs":0}})");
    for (int i = 0; i < 4; ++i) {
        t.take_one("a");
        t.advance(15s);
        t.rescue();
    }
    ok(t.fail(t.take_one("a")));
    EXPECT_EQ(t.job(made.action.job.id).lost_in_a_row, 0);
}

// Contract section 9, number 11: a timeout left the handler running beside its retry; both
// finished.
TEST(SeedDefects, N11_ATimedOutOwnerIsFenced) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","timeoutMs":1000})");
    const TakenJob late = t.take_one("a");
    t.advance(999ms);
    EXPECT_EQ(t.rescue().count, 0);
    t.advance(1ms);
    EXPECT_EQ(t.rescue().count, 1);
    EXPECT_EQ(code_of(t.complete(late)), ProblemCode::stale_token);
    const ActionDetails shown = t.get(made.action.job.id);
    EXPECT_EQ(shown.view.job.status, Status::pending);
    EXPECT_EQ(shown.view.job.scheduled_at, t.now + 5min);
    EXPECT_EQ(shown.view.result.error_code, "timeout");
    EXPECT_EQ(shown.history.front().end, AttemptEnd::timeout);
}

TEST(Timeout, HeartbeatsDoNotExtendIt) {
    Tabletop t;
    t.schedule(R"({"type":"a","timeoutMs":1000})");
    const TakenJob job = t.take_one("a");
    t.advance(500ms);
    ok(t.heartbeat(job, 1h));
    t.advance(500ms);
    EXPECT_EQ(t.rescue().count, 1);
}

TEST(Timeout, APulledJobWithoutOneIsRuledByItsLease) {
    Tabletop t;
    t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    EXPECT_FALSE(job.job.lease->timeout_at.has_value());
}

TEST(Promote, TellsWhenTheNextIsDue) {
    Tabletop t;
    t.schedule(R"({"type":"a","delayMs":1000})");
    t.schedule(R"({"type":"a","delayMs":5000})");
    EXPECT_EQ(t.promote().next_at, t.now + 1s);
    t.advance(1s);
    const UpkeepOutcome outcome = t.promote();
    EXPECT_EQ(outcome.count, 1);
    EXPECT_EQ(outcome.next_at, t.now + 4s);
}

TEST(Prune, TakesOnlyWhatIsOldAndFinished) {
    Tabletop t;
    const auto done = t.schedule(R"({"type":"a"})");
    ok(t.complete(t.take_one("a"), "1"));
    const auto open = t.schedule(R"({"type":"b"})");
    t.advance(24h * 7 - 1ms);
    EXPECT_EQ(t.prune().count, 0);
    t.advance(1ms);
    EXPECT_EQ(t.prune().count, 1);
    EXPECT_FALSE(t.find(done.action.job.id).has_value());
    EXPECT_TRUE(t.find(open.action.job.id).has_value());
}

TEST(Prune, ClaimsGoAfterTheirOwnRetention) {
    Tabletop t;
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    ok(t.complete(t.take_one("a")));
    t.advance(24h * 7);
    t.prune();
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(PruneClaims{})).count, 0);
    t.advance(24h * 23);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(PruneClaims{})).count, 1);
    EXPECT_EQ(std::get<UpkeepOutcome>(t.run(PruneClaims{})).count, 0);
}

}  // namespace
}  // namespace semel
