#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

constexpr const char* kFirst = R"({"type":"a","payload":{"entityId":"e","v":1}})";
constexpr const char* kSecond = R"({"type":"a","payload":{"entityId":"e","v":2}})";

std::string with_dedup(const std::string& options, int version = 2) {
    return R"({"type":"a","payload":{"entityId":"e","v":)" + std::to_string(version) +
           R"(},"deduplication":)" + options + "}";
}

TEST(Deduplication, ADuplicateReplacesThePayloadAndKeepsTheId) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    t.advance(4999ms);
    const auto second = t.schedule(kSecond);
    EXPECT_EQ(second.decision, Decision::duplicate);
    EXPECT_TRUE(second.replaced);
    EXPECT_EQ(second.action.job.id, first.action.job.id);
    EXPECT_EQ(t.get(first.action.job.id).view.body.payload, R"({"entityId":"e","v":2})");
    EXPECT_EQ(t.job(first.action.job.id).created_at, first.action.job.created_at);
}

TEST(Deduplication, ARequestThatIsSentAgainAsItWasWritesNothing) {
    Tabletop t;
    const Job first = t.schedule(kFirst).action.job;
    t.advance(1s);
    const auto again = t.schedule(kFirst);
    EXPECT_EQ(again.decision, Decision::duplicate);
    EXPECT_TRUE(again.replaced) << "its payload is the one that counts";
    EXPECT_EQ(t.job(first.id), first);
    t.schedule(kSecond);
    EXPECT_EQ(t.job(first.id).updated_at, t.now);
}

TEST(Deduplication, WindowsAreHalfOpenAndDoNotSlide) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    t.advance(3s);
    EXPECT_EQ(t.schedule(kSecond).decision, Decision::duplicate);
    t.advance(2s);  // five seconds after the first creation
    const auto later = t.schedule(kSecond);
    EXPECT_EQ(later.decision, Decision::new_);
    EXPECT_FALSE(later.successor_of.has_value());
    EXPECT_EQ(t.status(first.action.job.id), Status::pending);
}

TEST(Deduplication, TheNewRequestsWindowDecides) {
    Tabletop t;
    t.schedule(kFirst);
    t.advance(30s);
    EXPECT_EQ(t.schedule(with_dedup(R"({"windowSeconds":31})")).decision, Decision::duplicate);
    EXPECT_EQ(t.schedule(with_dedup(R"({"windowSeconds":29.5})")).decision, Decision::new_);
}

TEST(Deduplication, NoWindowOrNoDeduplicationMakesAnActionEachTime) {
    Tabletop t;
    t.schedule(kFirst);
    EXPECT_EQ(t.schedule(with_dedup(R"({"windowSeconds":0})")).decision, Decision::new_);
    EXPECT_EQ(t.schedule(with_dedup(R"({"windowSeconds":-1})")).decision, Decision::new_);
    EXPECT_EQ(t.schedule(with_dedup("false")).decision, Decision::new_);
    EXPECT_EQ(t.schedule(R"({"type":"a","payload":{"no":"entity"}})").decision, Decision::new_);
    EXPECT_EQ(t.list().size(), 5U);
}

TEST(Deduplication, OptionsThatDifferAreListedAsIgnored) {
    Tabletop t;
    t.schedule(kFirst);
    const auto second = t.schedule(
        R"({"type":"a","payload":{"entityId":"e"},"priority":7,"maxRetries":3,"lockGroup":"g",
            "delayMs":1000,"timeoutMs":5,"backoff":{"kind":"fixed","delayMs":1}})");
    EXPECT_EQ(second.ignored, (std::vector<std::string>{"delayMs", "lockGroup", "backoff",
                                                        "timeoutMs", "priority"}));
    const Job job = t.job(second.action.job.id);
    EXPECT_EQ(job.priority, 0);
    EXPECT_EQ(job.lock_group, "");
    EXPECT_EQ(job.place, Place::ready);
}

TEST(Deduplication, KeepLeavesThePayloadAndSaysWhetherItDiffers) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    const auto other = t.schedule(with_dedup(R"({"onDuplicate":"keep"})", 2));
    EXPECT_EQ(other.decision, Decision::duplicate);
    EXPECT_FALSE(other.replaced);
    EXPECT_TRUE(other.payload_differs);
    const auto same = t.schedule(with_dedup(R"({"onDuplicate":"keep"})", 1));
    EXPECT_FALSE(same.payload_differs);
    EXPECT_EQ(t.get(first.action.job.id).view.body.payload, R"({"entityId":"e","v":1})");
}

TEST(Deduplication, RejectShowsTheDiffAndChangesNothing) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    const auto refused = t.try_schedule(with_dedup(R"({"onDuplicate":"reject"})", 2));
    ASSERT_EQ(code_of(refused), ProblemCode::conflict);
    const auto& problem = std::get<Problem>(refused);
    EXPECT_EQ(problem.existing_id, first.action.job.id);
    EXPECT_EQ(problem.diff_json, R"([{"op":"replace","path":"/v","value":2}])");
    EXPECT_EQ(t.get(first.action.job.id).view.body.payload, R"({"entityId":"e","v":1})");
    EXPECT_EQ(t.schedule(with_dedup(R"({"onDuplicate":"reject"})", 1)).decision,
              Decision::duplicate);
}

TEST(Deduplication, ScopesDecideWhatARunningOrFinishedActionMeans) {
    for (const bool finished : {false, true}) {
        Tabletop t;
        const auto first = t.schedule(kFirst);
        const TakenJob job = t.take_one("a");
        if (finished) test::ok(t.complete(job));
        const auto any = t.schedule(with_dedup(R"({"scope":"any"})"));
        EXPECT_EQ(any.decision, Decision::duplicate);
        EXPECT_FALSE(any.replaced);
        EXPECT_TRUE(any.payload_differs);
        EXPECT_EQ(any.action.job.id, first.action.job.id);
        const auto incomplete = t.schedule(with_dedup(R"({"scope":"incomplete"})"));
        EXPECT_EQ(incomplete.decision, finished ? Decision::new_ : Decision::duplicate);
        EXPECT_FALSE(incomplete.successor_of.has_value());
    }
}

TEST(Deduplication, ScopeAnyMatchesFailedAndCancelledToo) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    t.operate(Operation::cancel, first.action.job.id);
    const auto met = t.schedule(with_dedup(R"({"scope":"any"})"));
    EXPECT_EQ(met.decision, Decision::duplicate);
    EXPECT_EQ(met.action.job.status, Status::cancelled);
    t.advance(5s);
    EXPECT_EQ(t.schedule(with_dedup(R"({"scope":"any"})")).decision, Decision::new_);
}

TEST(Deduplication, RejectComparesWithAStartedActionUnderWiderScopes) {
    Tabletop t;
    t.schedule(kFirst);
    t.take_one("a");
    EXPECT_EQ(
        code_of(t.try_schedule(with_dedup(R"({"scope":"incomplete","onDuplicate":"reject"})", 2))),
        ProblemCode::conflict);
    EXPECT_EQ(
        t.schedule(with_dedup(R"({"scope":"incomplete","onDuplicate":"reject"})", 1)).decision,
        Decision::duplicate);
}

// Decisions do not depend on what shares their batch.
TEST(Deduplication, AKeyGivenBackInTheSameBatchIsAnsweredInFull) {
    Tabletop t;
    const auto first = t.schedule(kFirst);
    t.take_one("a");
    const auto successor = t.schedule(kSecond);
    const OperateAction cancel{
        .tenant = "default", .id = successor.action.job.id, .operation = Operation::cancel};
    const ScheduleActions reject{
        .tenant = "default",
        .items = {t.request(with_dedup(R"({"scope":"incomplete","onDuplicate":"reject"})", 3))}};
    const auto replies = t.run_together(cancel, reject);
    EXPECT_FALSE(code_of(std::get<0>(replies)).has_value());
    const auto& answer = std::get<ScheduleActions::Outcome>(std::get<1>(replies)).front();
    ASSERT_EQ(code_of(answer), ProblemCode::conflict);
    EXPECT_EQ(std::get<Problem>(answer).existing_id, first.action.job.id);
}

TEST(Deduplication, KeysOutliveJobs) {
    Tabletop t;
    t.settings.job_retention = 1min;
    const auto first = t.schedule(kFirst);
    test::ok(t.complete(t.take_one("a")));
    t.advance(1min);
    EXPECT_EQ(t.prune().count, 1);
    EXPECT_FALSE(t.find(first.action.job.id).has_value());
    const auto met = t.schedule(with_dedup(R"({"scope":"any","windowSeconds":3600})"));
    EXPECT_EQ(met.decision, Decision::duplicate);
    EXPECT_TRUE(met.purged);
    EXPECT_EQ(met.action.job.id, first.action.job.id);
    EXPECT_EQ(met.action.job.status, Status::completed);
    EXPECT_EQ(t.schedule(with_dedup(R"({"windowSeconds":3600})")).decision, Decision::new_);
}

TEST(Deduplication, AKeyIsForgottenAfterItsRetentionWithoutASweeper) {
    Tabletop t;
    t.settings.key_retention = 1h;
    t.settings.job_retention = 24h;
    t.schedule(kFirst);
    test::ok(t.complete(t.take_one("a")));
    const std::string any = with_dedup(R"({"scope":"any","windowSeconds":3600})");
    t.advance(1h - 1ms);
    EXPECT_EQ(t.schedule(any).decision, Decision::duplicate);
    t.advance(1ms);
    EXPECT_EQ(t.schedule(any).decision, Decision::new_);
}

TEST(Debounce, EachDuplicatePushesAndRestartsTheWindow) {
    Tabletop t;
    const std::string debounce = R"({"onDuplicate":"debounce","windowSeconds":2,"maxWaitMs":5000})";
    const auto first = t.schedule(with_dedup(debounce, 1));
    const Time created = t.now;
    EXPECT_EQ(first.action.job.scheduled_at, created + 2s);
    t.advance(1500ms);
    const auto second = t.schedule(with_dedup(debounce, 2));
    EXPECT_EQ(second.decision, Decision::duplicate);
    EXPECT_TRUE(second.replaced);
    EXPECT_EQ(second.action.job.scheduled_at, created + 3500ms);
    EXPECT_EQ(second.action.job.updated_at, t.now);
    t.advance(1500ms);
    const auto third = t.schedule(with_dedup(debounce, 3));
    EXPECT_EQ(third.action.job.scheduled_at, created + 5s) << "at most to createdAt + maxWait";
    t.advance(1900ms);
    EXPECT_EQ(t.schedule(with_dedup(debounce, 4)).action.job.scheduled_at, created + 5s);
    t.advance(200ms);  // past createdAt + maxWait
    EXPECT_EQ(t.schedule(with_dedup(debounce, 5)).decision, Decision::new_);
}

TEST(Debounce, AShorterWaitDoesNotEndTheWindowEarlier) {
    Tabletop t;
    const auto first =
        t.schedule(with_dedup(R"({"onDuplicate":"debounce","windowSeconds":5,"maxWaitMs":60000})"));
    t.advance(1s);
    const auto second =
        t.schedule(with_dedup(R"({"onDuplicate":"debounce","windowSeconds":2,"maxWaitMs":2000})"));
    EXPECT_EQ(second.decision, Decision::duplicate);
    EXPECT_EQ(second.action.job.unique_until, first.action.job.unique_until);
}

TEST(Debounce, IsNeverEarlierThanItWas) {
    Tabletop t;
    const auto first = t.schedule(
        R"({"type":"a","payload":{"entityId":"e"},"delayMs":60000,
            "deduplication":{"onDuplicate":"debounce","windowSeconds":2}})");
    EXPECT_EQ(first.action.job.scheduled_at, t.now + 60s);
    t.advance(1s);
    const auto second = t.schedule(with_dedup(R"({"onDuplicate":"debounce","windowSeconds":2})"));
    EXPECT_EQ(second.action.job.scheduled_at, first.action.job.scheduled_at);
}

TEST(Debounce, TheFirstWindowAlwaysCounts) {
    Tabletop t;
    const std::string hasty = R"({"onDuplicate":"debounce","windowSeconds":10,"maxWaitMs":1000})";
    t.schedule(with_dedup(hasty));
    t.advance(2s);
    EXPECT_EQ(t.schedule(with_dedup(hasty)).decision, Decision::duplicate);
}

TEST(Debounce, ALongerWindowDoesNotPushBeyondTheWait) {
    Tabletop t;
    const auto first =
        t.schedule(with_dedup(R"({"onDuplicate":"debounce","windowSeconds":1,"maxWaitMs":3000})"));
    const auto second =
        t.schedule(with_dedup(R"({"onDuplicate":"debounce","windowSeconds":60,"maxWaitMs":3000})"));
    EXPECT_EQ(second.action.job.scheduled_at, first.action.job.created_at + 3s);
}

TEST(Debounce, WithoutMaxWaitItEndsAfterTenWindows) {
    Tabletop t;
    const std::string debounce = R"({"onDuplicate":"debounce","windowSeconds":1})";
    const auto first = t.schedule(with_dedup(debounce));
    int duplicates = 0;
    for (; duplicates < 100; ++duplicates) {
        t.advance(500ms);
        if (t.schedule(with_dedup(debounce)).decision == Decision::new_) break;
    }
    EXPECT_EQ(duplicates, 19);
    EXPECT_EQ(t.job(first.action.job.id).scheduled_at, first.action.job.created_at + 10s);
}

// Contract section 9, number 9: NULL against '' never matched.
TEST(SeedDefects, N09_AMissingEntityTypeMatches) {
    Tabletop t;
    const auto first = t.schedule(R"({"type":"a","payload":{"entityId":"e"}})");
    for (const char* again : {R"({"type":"a","payload":{"entityId":"e","entityType":null}})",
                              R"({"type":"a","payload":{"entityId":"e","entityType":""}})",
                              R"({"type":"a","payload":{"entityId":"e"}})"}) {
        const auto met = t.schedule(again);
        EXPECT_EQ(met.decision, Decision::duplicate) << again;
        EXPECT_EQ(met.action.job.id, first.action.job.id);
    }
    EXPECT_EQ(t.schedule(R"({"type":"a","payload":{"entityId":"e","entityType":"x"}})").decision,
              Decision::new_);
}

// ---- several owners of one key ------------------------------------------------------------------

TEST(Owners, AnOlderUnfinishedOneIsMetWhereTheNewestHasEnded) {
    Tabletop t;
    const std::string narrow = R"({"type":"a","payload":{"entityId":1,"n":1},"delayMs":3600000})";
    const auto older = t.schedule(narrow);
    t.advance(5s);
    const auto newer = t.schedule(R"({"type":"a","payload":{"entityId":1,"n":2}})");
    ASSERT_EQ(newer.decision, Decision::new_);
    ok(t.complete(t.take_one("a")));
    const std::string wide =
        R"({"type":"a","payload":{"entityId":1,"n":3},"deduplication":{"windowSeconds":60}})";
    const auto met = t.schedule(wide);
    EXPECT_EQ(met.decision, Decision::duplicate);
    EXPECT_EQ(met.action.job.id, older.action.job.id);
    EXPECT_TRUE(met.replaced);
    EXPECT_EQ(t.schedule(narrow).decision, Decision::new_) << "its own window is over";
}

TEST(Owners, TheNewestThatQualifiesCounts) {
    Tabletop t;
    t.schedule(R"({"type":"a","payload":{"entityId":1},"delayMs":3600000})");
    t.advance(5s);
    const auto newer = t.schedule(R"({"type":"a","payload":{"entityId":1},"delayMs":3600000})");
    const auto met =
        t.schedule(R"({"type":"a","payload":{"entityId":1},"deduplication":{"windowSeconds":60}})");
    EXPECT_EQ(met.action.job.id, newer.action.job.id);
}

TEST(Owners, AKeyHasAtMostAHundredOpenOnes) {
    Tabletop t;
    const std::string body = R"({"type":"a","payload":{"entityId":1},"delayMs":86400000})";
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(t.schedule(body).decision, Decision::new_) << i;
        t.advance(5s);
    }
    EXPECT_EQ(code_of(t.try_schedule(body)), ProblemCode::too_large);
    t.operate(Operation::cancel, t.list().front().job.id);
    EXPECT_EQ(t.schedule(body).decision, Decision::new_);
}

TEST(Owners, AKeyIsRememberedFromTheEndOfItsLastOwnerOn) {
    Tabletop t;
    t.settings.key_retention = 24h * 60;
    const auto older = t.schedule(R"({"type":"a","payload":{"entityId":1},"delayMs":864000000})");
    t.advance(5s);
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    ok(t.complete(t.take_one("a")));
    t.advance(t.settings.job_retention);
    EXPECT_EQ(t.prune().count, 1);
    t.advance(24h * 50);
    const std::string wide =
        R"({"type":"a","payload":{"entityId":1},"deduplication":{"windowSeconds":5184000}})";
    EXPECT_EQ(t.run(PruneClaims{}).index(), 0U);
    EXPECT_EQ(t.schedule(wide).action.job.id, older.action.job.id)
        << "the newer one is gone, and this one still waits";
}

}  // namespace
}  // namespace semel
