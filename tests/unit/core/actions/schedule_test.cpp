#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Tabletop;

TEST(Schedule, AnActionHasTheContractsDefaults) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"mail"})");
    EXPECT_EQ(made.decision, Decision::new_);
    EXPECT_FALSE(made.replaced);
    const ActionDetails shown = t.get(made.action.job.id);
    const Job& job = shown.view.job;
    EXPECT_EQ(job.status, Status::pending);
    EXPECT_EQ(job.scheduled_at, t.now);
    EXPECT_EQ(job.max_retries, 3);
    EXPECT_EQ(job.backoff, Backoff{});
    EXPECT_EQ(job.priority, 0);
    EXPECT_EQ(job.chain, job.id);
    EXPECT_EQ(shown.view.body.payload, "{}");
    EXPECT_FALSE(job.unique_until.has_value());
}

TEST(Schedule, APastTimeMeansNow) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","scheduledAt":"2001-01-01T00:00:00Z"})");
    EXPECT_EQ(made.action.job.scheduled_at, t.now);
    EXPECT_EQ(made.action.job.place, Place::ready);
}

TEST(Schedule, ADelayedActionIsNotTakenEarly) {
    Tabletop t;
    t.schedule(R"({"type":"a","delayMs":1000})");
    EXPECT_TRUE(t.take({"a"}).empty());
    t.advance(999ms);
    EXPECT_EQ(t.promote().count, 0);
    EXPECT_TRUE(t.take({"a"}).empty());
    t.advance(1ms);
    EXPECT_EQ(t.promote().count, 1);
    EXPECT_EQ(t.take({"a"}).size(), 1U);
}

TEST(Schedule, PayloadBytesAreKeptAsTheyCame) {
    Tabletop t;
    const auto made =
        t.schedule(R"({"type":"a","payload":{"b": 1.0,  "big":12345678901234567890}})");
    EXPECT_EQ(t.get(made.action.job.id).view.body.payload,
              R"({"b": 1.0,  "big":12345678901234567890})");
}

TEST(Schedule, HigherPriorityGoesFirstThenTimeThenId) {
    Tabletop t;
    t.schedule(R"({"type":"a","payload":1})");
    t.schedule(R"({"type":"b","payload":2})");
    t.schedule(R"({"type":"a","payload":3,"priority":5})");
    std::vector<std::string> order;
    for (const TakenJob& job : t.take({"a", "b"}, 3)) {
        order.push_back(job.payload);
    }
    EXPECT_EQ(order, (std::vector<std::string>{"3", "1", "2"}));
}

TEST(Schedule, TenantsTakeTurns) {
    Tabletop t;
    for (int i = 0; i < 3; ++i) t.schedule(R"({"type":"a"})", "big");
    t.schedule(R"({"type":"a"})", "small");
    std::vector<std::string> tenants;
    for (const TakenJob& job : t.take({"a"}, 3, std::nullopt)) {
        tenants.push_back(job.job.tenant);
    }
    EXPECT_EQ(tenants, (std::vector<std::string>{"big", "small", "big"}));
}

TEST(Schedule, ABatchKeepsEveryRuleBetweenItsItems) {
    Tabletop t;
    ScheduleActions batch;
    batch.tenant = "default";
    batch.items = {t.request(R"({"type":"a","payload":{"entityId":1,"v":1}})"),
                   t.request(R"({"type":""})"),
                   t.request(R"({"type":"a","payload":{"entityId":1,"v":2}})"),
                   t.request(R"({"type":"a","payload":{"entityId":1,"v":3},
                                 "deduplication":{"onDuplicate":"reject"}})")};
    const auto answers = std::get<ScheduleActions::Outcome>(t.run(batch));
    ASSERT_EQ(answers.size(), 4U);
    const auto& first = std::get<ScheduledAction>(answers[0]);
    EXPECT_EQ(first.decision, Decision::new_);
    EXPECT_EQ(test::code_of(answers[1]), ProblemCode::invalid);
    const auto& second = std::get<ScheduledAction>(answers[2]);
    EXPECT_EQ(second.decision, Decision::duplicate);
    EXPECT_EQ(second.action.job.id, first.action.job.id);
    EXPECT_TRUE(second.replaced);
    EXPECT_EQ(test::code_of(answers[3]), ProblemCode::conflict);
    EXPECT_EQ(t.list().size(), 1U);
    EXPECT_EQ(t.get(first.action.job.id).view.body.payload, R"({"entityId":1,"v":2})");
}

TEST(Schedule, EveryDecisionLeavesATrace) {
    Tabletop t;
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    t.schedule(R"({"type":"a","payload":{"entityId":1}})");
    t.try_schedule(
        R"({"type":"a","payload":{"entityId":1,"x":1},"deduplication":{"onDuplicate":"reject"}})");
    ASSERT_EQ(t.decisions.size(), 2U);
    EXPECT_EQ(t.decisions[0].decision, Decision::new_);
    EXPECT_EQ(t.decisions[0].rule, "first");
    EXPECT_EQ(t.decisions[0].source_id, "1");
    EXPECT_EQ(t.decisions[1].decision, Decision::conflict);
    ASSERT_EQ(t.repeats.size(), 1U);
    EXPECT_EQ(t.repeats[0].decision, Decision::duplicate);
}

// Contract section 9, number 13: two teams with the same entity were merged.
TEST(SeedDefects, N13_TenantsNeverMeet) {
    Tabletop t;
    const auto ours = t.schedule(R"({"type":"a","payload":{"entityId":1,"of":"us"}})", "us");
    const auto theirs = t.schedule(R"({"type":"a","payload":{"entityId":1,"of":"them"}})", "them");
    EXPECT_EQ(theirs.decision, Decision::new_);
    EXPECT_NE(ours.action.job.id, theirs.action.job.id);
    EXPECT_FALSE(t.find(ours.action.job.id, "them").has_value());
    EXPECT_EQ(test::code_of(t.operate(Operation::cancel, ours.action.job.id, false, "them")),
              ProblemCode::not_found);
    const TakenJob job = t.take({"a"}, 1, "us").front();
    EXPECT_EQ(test::code_of(t.call({.id = job.job.id, .token = job.job.token}, "them")),
              ProblemCode::not_found);
    EXPECT_EQ(t.get(ours.action.job.id, "us").view.job.status, Status::running);
}

TEST(Schedule, APastTimeMeansNowHoweverPast) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","scheduledAt":"1960-01-01T00:00:00Z"})");
    EXPECT_EQ(made.action.job.scheduled_at, t.now);
    EXPECT_EQ(made.action.job.place, Place::ready);
}

}  // namespace
}  // namespace semel
