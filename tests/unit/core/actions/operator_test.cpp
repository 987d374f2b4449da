#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

TEST(RunNow, EndsADelayOrABackoff) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","delayMs":60000})");
    const auto reply = t.operate(Operation::run_now, made.action.job.id);
    EXPECT_EQ(std::get<ActionView>(reply).job.scheduled_at, t.now);
    ok(t.fail(t.take_one("a")));
    EXPECT_TRUE(t.take({"a"}).empty());
    t.operate(Operation::run_now, made.action.job.id);
    EXPECT_EQ(t.take_one("a").job.attempts, 2);
}

TEST(RunNow, WrongStatesAreNamed) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a"})");
    const TakenJob job = t.take_one("a");
    const auto refused = t.operate(Operation::run_now, made.action.job.id);
    ASSERT_EQ(code_of(refused), ProblemCode::wrong_state);
    EXPECT_EQ(std::get<Problem>(refused).state, Status::running);
    EXPECT_EQ(std::get<Problem>(refused).detail,
              "the action is running; only one that is blocked or pending can be run now");
    ok(t.complete(job));
    EXPECT_EQ(code_of(t.operate(Operation::run_now, made.action.job.id)), ProblemCode::wrong_state);
}

TEST(Retry, OpensANewRoundWithALargerToken) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","maxRetries":1})");
    const TakenJob first = t.take_one("a");
    ok(t.fail(first));
    ASSERT_EQ(t.status(made.action.job.id), Status::failed);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, made.action.job.id)).has_value());
    const Job job = t.job(made.action.job.id);
    EXPECT_EQ(job.status, Status::pending);
    EXPECT_EQ(job.attempts, 0);
    EXPECT_GT(job.token, first.job.token);
    EXPECT_FALSE(t.get(job.id).view.result.error_message.has_value());
    EXPECT_EQ(code_of(t.fail(first)), ProblemCode::stale_token);
    ok(t.complete(t.take_one("a")));
}

TEST(Retry, OfOtherStatesIsRefused) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a"})");
    EXPECT_EQ(code_of(t.operate(Operation::retry, made.action.job.id)), ProblemCode::wrong_state);
    ok(t.complete(t.take_one("a")));
    EXPECT_EQ(code_of(t.operate(Operation::retry, made.action.job.id)), ProblemCode::wrong_state);
    EXPECT_EQ(code_of(t.operate(Operation::retry, JobId{})), ProblemCode::not_found);
}

TEST(Retry, IsRefusedWhileTheKeyHasANewerOwnerUnlessForced) {
    Tabletop t;
    const std::string one = R"({"type":"a","payload":{"entityId":1},"maxRetries":1})";
    const auto old = t.schedule(one);
    ok(t.fail(t.take_one("a")));
    t.advance(10s);
    const auto newer = t.schedule(one);
    const auto refused = t.operate(Operation::retry, old.action.job.id);
    ASSERT_EQ(code_of(refused), ProblemCode::superseded);
    EXPECT_EQ(std::get<Problem>(refused).existing_id, newer.action.job.id);
    EXPECT_EQ(t.status(old.action.job.id), Status::failed);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, old.action.job.id, true)).has_value());
    EXPECT_EQ(t.take({"a"}, 5).size(), 2U);
}

TEST(Cancel, FencesARunningJobAndFreesItsGroup) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","lockGroup":"g"})");
    t.schedule(R"({"type":"a","lockGroup":"g"})");
    const TakenJob running = t.take_one("a");
    EXPECT_FALSE(code_of(t.operate(Operation::cancel, made.action.job.id)).has_value());
    EXPECT_EQ(t.status(made.action.job.id), Status::cancelled);
    EXPECT_EQ(code_of(t.complete(running)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.heartbeat(running)), ProblemCode::stale_token);
    EXPECT_EQ(t.take({"a"}).size(), 1U);
    EXPECT_EQ(t.get(made.action.job.id).history.front().end, AttemptEnd::cancelled);
}

TEST(Cancel, APendingOneIsNeverTakenAndAFinishedOneStays) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","delayMs":10})");
    t.operate(Operation::cancel, made.action.job.id);
    t.advance(1h);
    t.promote();
    EXPECT_TRUE(t.take({"a"}).empty());
    EXPECT_EQ(code_of(t.operate(Operation::cancel, made.action.job.id)), ProblemCode::wrong_state);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, made.action.job.id)).has_value());
    EXPECT_EQ(t.take({"a"}).size(), 1U);
}

TEST(Retry, OfAnActionThatWasNeverTakenLeavesItsPayloadOpen) {
    Tabletop t;
    const auto made = t.schedule(R"({"type":"a","payload":{"entityId":1,"v":1}})");
    t.operate(Operation::cancel, made.action.job.id);
    t.operate(Operation::retry, made.action.job.id);
    const auto again = t.schedule(R"({"type":"a","payload":{"entityId":1,"v":2}})");
    EXPECT_EQ(again.decision, Decision::duplicate);
    EXPECT_TRUE(again.replaced);
    EXPECT_EQ(again.action.job.id, made.action.job.id);
}

TEST(Retry, OfASupersededActionFollowsTheKey) {
    Tabletop t;
    const std::string entity = R"({"type":"a","payload":{"entityId":1}})";
    const auto old = t.schedule(entity);
    ok(t.fail(t.take_one("a")));
    const auto newer = t.schedule(entity);
    ASSERT_EQ(t.status(old.action.job.id), Status::superseded);
    const auto refused = t.operate(Operation::retry, old.action.job.id);
    ASSERT_EQ(code_of(refused), ProblemCode::superseded);
    EXPECT_EQ(std::get<Problem>(refused).existing_id, newer.action.job.id);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, old.action.job.id, true)).has_value());
    EXPECT_FALSE(t.job(old.action.job.id).superseded_by.has_value());
}

}  // namespace
}  // namespace semel
