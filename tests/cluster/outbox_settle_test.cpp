// Jobs that end in a user's own transaction.
#include "cluster/outbox_fixture.hpp"

namespace semel::test {
namespace {

constexpr const char* kStaleState = "SM001";

TEST_F(Outbox, AResultCommitsWithTheUsersRows) {
    user.ask("create table orders (id int)");
    const TakenJob job = take();
    user.ask("begin; insert into orders values (1);" + complete_sql(job, ", '{\"paid\": 1.0}'"));
    EXPECT_EQ(drain().count, 0);
    user.ask("commit");
    EXPECT_TRUE(get(job.job.id.to_string()).view.job.settling);
    EXPECT_EQ(get(job.job.id.to_string()).view.job.status, Status::running);
    EXPECT_EQ(drain().count, 1);
    const ActionDetails done = get(job.job.id.to_string());
    EXPECT_EQ(done.view.job.status, Status::completed);
    EXPECT_FALSE(done.view.job.settling);
    EXPECT_EQ(done.view.result.output, "{\"paid\": 1.0}");
    ASSERT_EQ(done.history.size(), 1U);
    EXPECT_EQ(done.history.front().end, AttemptEnd::completed);
}

TEST_F(Outbox, AResultIsRolledBackWithTheUsersRows) {
    const TakenJob job = take();
    user.ask("begin");
    user.ask(complete_sql(job));
    user.ask("rollback");
    EXPECT_EQ(drain().count, 0);
    EXPECT_FALSE(get(job.job.id.to_string()).view.job.settling);
    EXPECT_EQ(get(job.job.id.to_string()).view.job.status, Status::running);
    user.ask(complete_sql(job));
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(get(job.job.id.to_string()).view.job.status, Status::completed);
}

TEST_F(Outbox, AFailureIsOneLikeAnyOther) {
    const TakenJob job = take();
    user.ask("select semel.fail_job('" + job.job.id.to_string() + "', " +
             std::to_string(to_int(job.job.token)) + ", 'no money')");
    EXPECT_EQ(drain().count, 1);
    const ActionDetails failed = get(job.job.id.to_string());
    EXPECT_EQ(failed.view.job.status, Status::failed);
    EXPECT_EQ(failed.view.result.error_message, "no money");
}

TEST_F(Outbox, AStaleTokenRaisesAndTheUsersTransactionIsRolledBack) {
    user.ask("create table orders (id int)");
    TakenJob job = take();
    const TakenJob owner = job;
    job.job.token = Token{to_int(job.job.token) - 1};
    const auto stale = user.refusal_of("begin; insert into orders values (1);" + complete_sql(job));
    EXPECT_EQ(stale.state, kStaleState);
    EXPECT_EQ(stale.message.rfind("stale_token: token ", 0), 0U) << stale.message;
    user.ask("commit");  // of a failed transaction: a rollback
    EXPECT_EQ(user.ask("select count(*) from orders"), "0");
    user.ask(complete_sql(owner));
    EXPECT_EQ(user.refusal_of(complete_sql(owner)).state, kStaleState) << "once is enough";
    drain();
    EXPECT_EQ(user.refusal_of(complete_sql(owner)).state, kStaleState) << "it has ended";
    job.job.id = Uuid{};
    EXPECT_EQ(user.refusal_of(complete_sql(job)).state, kStaleState) << "there is no such job";
}

// A transaction that sees the database as it was before the take is not told that it is stale.
TEST_F(Outbox, ATransactionFromBeforeTheTakeIsToBeTriedAgain) {
    (void)call(take(), Verb::release);
    UserSession early(url);
    early.ask("begin isolation level repeatable read; select count(*) from pg_class");
    const TakenJob job = take_next();
    EXPECT_EQ(early.refusal_of(complete_sql(job)).state, "40001");
    early.ask("rollback");
    early.ask("begin isolation level repeatable read");
    early.ask(complete_sql(job));
    early.ask("commit");
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(early.refusal_of("begin isolation level repeatable read; " + complete_sql(job)).state,
              kStaleState);
}

TEST_F(Outbox, WhoeverWasTakenOverIsStale) {
    const TakenJob job = take();
    now = now.load() + kLease;
    EXPECT_EQ(std::get<UpkeepOutcome>(std::get<0>(driver.run(RescueExpired{}))).count, 1);
    EXPECT_EQ(user.refusal_of(complete_sql(job)).state, kStaleState);
    EXPECT_EQ(drain().count, 0);
}

TEST_F(Outbox, WhatIsSettlingIsNotTakenOver) {
    const TakenJob job = take();
    user.ask(complete_sql(job));
    now = now.load() + std::chrono::hours(24);
    const auto rescued = std::get<UpkeepOutcome>(std::get<0>(driver.run(RescueExpired{})));
    EXPECT_EQ(rescued.count, 0);
    EXPECT_FALSE(rescued.next_at.has_value());
    const auto beat = call(job, Verb::heartbeat);
    ASSERT_TRUE(std::holds_alternative<JobAnswer>(beat));
    EXPECT_EQ(std::get<JobAnswer>(beat).lease_until, job.job.lease->until) << "unchanged";
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(get(job.job.id.to_string()).view.job.status, Status::completed);
}

TEST_F(Outbox, TheSameCallAgainOverHttpGetsTheSameAnswer) {
    const TakenJob job = take();
    user.ask(complete_sql(job));
    drain();
    const auto again = call(job, Verb::complete);
    ASSERT_TRUE(std::holds_alternative<JobAnswer>(again));
    EXPECT_EQ(std::get<JobAnswer>(again).status, Status::completed);
    EXPECT_TRUE(std::holds_alternative<Problem>(call(job, Verb::fail)));
}

// PostgreSQL takes it for JSON; we do not. What was done is done, and its text is kept.
TEST_F(Outbox, AnOutputThatARequestMayNotHaveIsKept) {
    const TakenJob job = take();
    user.ask(complete_sql(job, ", '{\"a\":1,\"a\":2}'"));
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(get(job.job.id.to_string()).view.result.output, R"("{\"a\":1,\"a\":2}")");
}

TEST_F(Outbox, RefusesBadResultsAtOnce) {
    const TakenJob job = take();
    EXPECT_EQ(user.refusal_of(complete_sql(job, ", to_json(repeat('x', 1048576))")).state, "54000");
    const std::string fails = "select semel.fail_job('" + job.job.id.to_string() + "', " +
                              std::to_string(to_int(job.job.token)) + ", ";
    EXPECT_EQ(user.refusal_of(fails + "null)").state, "22004");
    EXPECT_EQ(user.refusal_of(fails + "repeat('x', 65537))").state, "54000");
    EXPECT_FALSE(get(job.job.id.to_string()).view.job.settling);
}

// A successor waits for the attempt to end, however it ends.
TEST_F(Outbox, WhatFollowsHappensInTheSameCommit) {
    const std::string options = R"('{"deduplication":{"windowSeconds":60}}')";
    enqueue(user, "'{\"entityId\":1,\"n\":1}', " + options);
    drain();
    TakeJobs command;
    command.query.types = {"pay"};
    command.lease = kLease;
    const auto [reply] = driver.run(command);
    const TakenJob job = std::get<TakeJobs::Outcome>(reply).at(0);
    user.ask("begin");
    user.ask(complete_sql(job));
    const std::string next = enqueue(user, "'{\"entityId\":1,\"n\":2}', " + options);
    user.ask("commit");
    EXPECT_EQ(drain().count, 2);
    EXPECT_EQ(get(job.job.id.to_string()).view.job.status, Status::completed);
    EXPECT_EQ(result_of(next, "decision"), "new");
    EXPECT_EQ(get(next).view.job.place, Place::ready);
}

// Whoever ends that attempt needs the group's row, so a new member can stand behind it meanwhile.
TEST_F(Outbox, ANewMemberOfItsGroupWaitsBehindAJobThatAUserHolds) {
    const TakenJob head = take("line");
    user.ask("begin;" + complete_sql(head));
    const ActionView second = schedule_in("line");
    EXPECT_EQ(second.job.place, Place::waiting);
    const ActionView third = schedule_in("line");
    EXPECT_EQ(third.job.place, Place::waiting);
    user.ask("commit");
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(get(second.job.id.to_string()).view.job.place, Place::ready);
    EXPECT_EQ(get(third.job.id.to_string()).view.job.place, Place::waiting);
}

// It may be taken at this moment, or go behind the new one.
TEST_F(Outbox, ANewMemberIsPostponedByALockedHeadThatDoesNotRun) {
    const ActionView head = schedule_in("line");
    user.ask("begin; select 1 from semel.job where id = '" + head.job.id.to_string() +
             "' for update");
    const Loaded locked_elsewhere = driver.look({.groups = {{"default", "line"}}});
    EXPECT_EQ(locked_elsewhere.locked_elsewhere.groups.size(), 1U);
    EXPECT_TRUE(locked_elsewhere.running_heads.empty());
    user.ask("commit");
    EXPECT_TRUE(driver.look({.groups = {{"default", "line"}}}).locked_elsewhere.empty());
}

}  // namespace
}  // namespace semel::test
