// A job that runs: what of it stands where.
#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

constexpr const char* kRow = "select (j.ctid, j.*)::text from semel.job j";
// A schema as it was before runs had rows.
constexpr const char* kVersionBefore = R"(
delete from semel.migration where number >= 13;
drop table semel.uncertain_claim;
drop table semel.response;
update semel.meta set works_from = 10;
alter table semel.commit_mark drop constraint commit_mark_known;
alter table semel.commit_mark add constraint commit_mark_known check (known >= 10) not valid;
alter table semel.job drop constraint job_runs_elsewhere;
alter table semel.job drop column completed_by;
alter table semel.job add column settling boolean not null default false;
update semel.job j set status = 2, place = 2, token = r.token, data = r.data, settling = r.settling
    from semel.run r where r.id = j.id;
alter table semel.job add check ((place = 2) = (status = 2));
alter table semel.job add constraint job_check2 check (status <> 2 or token > 0);
alter table semel.job add check (not settling or status = 2);
alter table semel.claim drop column owner;
drop table semel.run;
)";

class RunningRows : public testing::Test {
protected:
    RunningRows() { EXPECT_TRUE(driver_->write(inserting({ready_job(1)})).has_value()); }

    TakenJob take() {
        const TakeJobs command{.query = {.tenant = "acme", .types = {"mail"}},
                               .worker = "somebody",
                               .lease = std::chrono::minutes(1)};
        const auto [reply] = driver_->run(command);
        return std::get<TakeJobs::Outcome>(reply).at(0);
    }
    Status end(const TakenJob& taken, Verb verb) {
        const JobCall call{.id = taken.job.id, .token = taken.job.token, .verb = verb};
        const auto [reply] = driver_->run(SettleJobs{"acme", {call}});
        return std::get<JobAnswer>(std::get<SettleJobs::Outcome>(reply).at(0)).status;
    }
    ActionDetails get(const TakenJob& taken) {
        return driver_->get_action("acme", taken.job.id).value();
    }
    [[nodiscard]] std::string ask(const std::string& sql) const { return ask_postgres(url_, sql); }

    void reopen() {
        driver_.reset();
        store_.reset();
        (void)ask(kVersionBefore);
        open();
    }
    void open() {
        store_ = std::move(open_postgres_store({.url = url_})).value();
        driver_.emplace(*store_);
    }

    const std::string url_ = PostgresServer::shared().make_database();
    std::unique_ptr<Store> store_ = std::move(open_postgres_store({.url = url_})).value();
    std::optional<StoreDriver> driver_{std::in_place, *store_};
};

TEST_F(RunningRows, LeaveTheJobsRowAsItWas) {
    const std::string row = ask(kRow);
    const TakenJob taken = take();
    EXPECT_EQ(ask(kRow), row);
    const Job job = get(taken).view.job;
    EXPECT_EQ(job, taken.job) << "all of it is in the other row";
    EXPECT_EQ(job.status, Status::running);
    EXPECT_EQ(job.attempts, 1);
}

TEST_F(RunningRows, LeaveNothingOfAnEarlierAttemptBehind) {
    const TakenJob first = take();
    EXPECT_EQ(end(first, Verb::release), Status::pending);
    ASSERT_TRUE(get(first).view.job.settled.has_value());
    const TakenJob second = take();
    EXPECT_EQ(get(second).view.job, second.job);
    EXPECT_FALSE(second.job.settled.has_value());
}

TEST_F(RunningRows, ThatCompleteTheirJobHaveNoRowInItsHistory) {
    const TakenJob released = take();
    EXPECT_EQ(end(released, Verb::release), Status::pending);
    const TakenJob taken = take();
    EXPECT_EQ(end(taken, Verb::complete), Status::completed);
    EXPECT_EQ(ask("select string_agg(ending::text, ' ') from semel.attempt"), "4");
    const ActionDetails details = get(taken);
    ASSERT_EQ(details.history.size(), 2U);
    EXPECT_EQ(details.history[0].end, AttemptEnd::released);
    const Attempt& last = details.history[1];
    EXPECT_EQ(last.end, AttemptEnd::completed);
    EXPECT_EQ(last.worker, "somebody");
    EXPECT_EQ(last.token, taken.job.token);
    EXPECT_EQ(last.number, details.view.job.attempts);
    EXPECT_EQ(last.started_at, taken.job.lease->started_at);
    EXPECT_EQ(last.ended_at, details.view.job.completed_at);
}

TEST_F(RunningRows, OfTheVersionBeforeGoOn) {
    const TakenJob taken = take();
    reopen();
    EXPECT_EQ(get(taken).view.job, taken.job);
    EXPECT_EQ(end(taken, Verb::complete), Status::completed);
    EXPECT_EQ(ask("select (select count(*) from semel.running) + (select count(*) from semel.run)"),
              "0");
}

// As a dump may have it that was made while lines were written anew.
TEST_F(RunningRows, OfTheVersionBeforeWithoutTheirQueueRowGoOn) {
    const TakenJob taken = take();
    (void)ask("delete from semel.running; update semel.meta set made_at = 'elsewhere'");
    reopen();
    EXPECT_EQ(get(taken).view.job, taken.job);
    EXPECT_EQ(ask("select deadline from semel.running"),
              std::to_string(to_ms(taken.job.lease->ends_at())));
}

// What is left is a row that was written while the job ran.
TEST_F(RunningRows, ThatAreLostLeaveAJobThatCanBeTaken) {
    const TakenJob taken = take();
    reopen();
    (void)ask(
        "delete from semel.run; delete from semel.running; "
        "insert into semel.ready select tenant, type, urgency, scheduled_at, id from semel.job");
    const Job lost = get(taken).view.job;
    EXPECT_EQ(lost.status, Status::pending);
    EXPECT_FALSE(lost.lease.has_value());
    const TakenJob again = take();
    EXPECT_GT(again.job.token, taken.job.token);
    EXPECT_EQ(end(again, Verb::complete), Status::completed);
}

TEST_F(RunningRows, OfTheVersionBeforeThatSettleGoOnSettling) {
    const TakenJob taken = take();
    (void)ask("select semel.complete_job('" + taken.job.id.to_string() + "', " +
              std::to_string(to_int(taken.job.token)) + ")");
    reopen();
    EXPECT_TRUE(get(taken).view.job.settling);
    (void)driver_->run(DrainOutbox{.limit = 1});
    EXPECT_EQ(get(taken).view.job.status, Status::completed);
}

}  // namespace
}  // namespace semel::test
