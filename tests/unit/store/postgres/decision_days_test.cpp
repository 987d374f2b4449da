// The decision log lies in a table for each day.
#include "store/postgres/decision_days.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cluster/user_session.hpp"
#include "postgres_migrations.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using postgres::Connection;

constexpr std::int64_t kToday = 21'000;  // days since 1970
constexpr Time kNow = from_ms(kToday * 86'400'000);

class DecisionDays : public testing::Test {
protected:
    DecisionDays() {
        const auto clock = [] { return ClockSample{kNow, std::chrono::hours(1)}; };
        EXPECT_TRUE(open_postgres_store({.url = url_, .clock = clock}));
    }

    // As a batch writes it: the name of the table where it went.
    std::string log_on(std::int64_t day) {
        return user_.ask(
            fmt::format("insert into semel.decision (day, tenant, data) "
                        "values ({}, 't', 'x') returning tableoid::regclass",
                        day));
    }
    void forget_before(std::int64_t day) {
        user_.ask(fmt::format("update semel.meta set decisions_from = {}", day));
    }
    std::string tables() {
        return user_.ask(
            "select string_agg(c.relname, ' ' order by c.relname) from pg_inherits i "
            "join pg_class c on c.oid = i.inhrelid "
            "where inhparent = 'semel.decision'::regclass and c.relname > 'decision_21'");
    }

    const std::string url_ = PostgresServer::shared().make_database();
    const std::unique_ptr<Connection> connection_ =
        std::move(Connection::open({.url = url_})).value();
    UserSession user_{url_};
};

TEST_F(DecisionDays, AStoreThatWasOpenedHasThoseOfTheNextDays) {
    EXPECT_EQ(tables(),
              "decision_21000 decision_21001 decision_21002 decision_21003 "
              "decision_rest");
    EXPECT_EQ(log_on(kToday), "semel.decision_21000");
    EXPECT_EQ(log_on(kToday + 9), "semel.decision_rest");
}

TEST_F(DecisionDays, TheyAreMadeAheadAndDroppedWhenForgotten) {
    log_on(kToday);
    log_on(kToday + 1);
    keep_decision_days(*connection_, kNow + std::chrono::hours(24));
    EXPECT_EQ(tables(),
              "decision_21000 decision_21001 decision_21002 decision_21003 "
              "decision_21004 decision_rest");
    forget_before(kToday + 1);
    keep_decision_days(*connection_, kNow + std::chrono::hours(24));
    EXPECT_EQ(tables(),
              "decision_21001 decision_21002 decision_21003 decision_21004 "
              "decision_rest");
    EXPECT_EQ(user_.ask("select string_agg(day::text, ' ') from semel.decision"), "21001");
}

TEST_F(DecisionDays, EntriesOfADayThatHadNoTableAreForgottenToo) {
    log_on(kToday + 8);
    log_on(kToday + 9);
    keep_decision_days(*connection_, kNow + std::chrono::hours(8 * 24));
    EXPECT_EQ(user_.ask("select to_regclass('semel.decision_21008')"), "") << "it has lines";
    forget_before(kToday + 9);
    keep_decision_days(*connection_, kNow + std::chrono::hours(8 * 24));
    EXPECT_EQ(user_.ask("select string_agg(day::text, ' ') from semel.decision"), "21009");
}

TEST_F(DecisionDays, OneThatSomebodyReadsIsDroppedLater) {
    log_on(kToday);
    UserSession reader(url_);
    reader.ask("begin; lock table semel.decision in access share mode");
    forget_before(kToday + 1);
    keep_decision_days(*connection_, kNow);
    EXPECT_EQ(user_.ask("select to_regclass('semel.decision_21000')"), "semel.decision_21000");
    EXPECT_EQ(log_on(kToday + 1), "semel.decision_21001") << "nobody waits for it";
    reader.ask("rollback");
    keep_decision_days(*connection_, kNow);
    EXPECT_EQ(user_.ask("select to_regclass('semel.decision_21000')"), "");
}

TEST(DecisionDaysMigration, TheLogAsItWasIsKeptAndAnOlderNodeGoesOn) {
    const std::string url = PostgresServer::shared().make_database();
    UserSession user(url);
    user.ask(
        "create schema semel; create table semel.migration (number integer primary key, "
        "applied_at timestamptz not null default clock_timestamp())");
    namespace migration = postgres::migration;
    for (const std::string_view sql : {migration::f_0001_actions_sql, migration::f_0002_workers_sql,
                                       migration::f_0003_outbox_sql, migration::f_0004_moving_sql,
                                       migration::f_0005_shared_time_sql}) {
        user.ask(std::string(sql));
    }
    user.ask("insert into semel.migration select generate_series(1, 5)");
    const std::string old_insert = "insert into semel.decision (day, tenant, data) values ";
    user.ask(old_insert + "(20000, 't', 'a'), (20001, 't', 'b')");
    ASSERT_TRUE(open_postgres_store({.url = url}));
    const std::string next = user.ask(old_insert + "(20001, 't', 'c') returning sequence");
    EXPECT_GT(std::stoi(next), 2);
    EXPECT_EQ(user.ask("select string_agg(sequence::text, ' ') from (select sequence from "
                       "semel.decision where day < 20001 order by day, sequence limit 9) old"),
              "1");
    user.ask(
        "delete from semel.decision where (tenant, sequence) in (select * from "
        "unnest(array['t'], array[1::bigint]))");
    EXPECT_EQ(user.ask("select string_agg(sequence::text, ' ' order by sequence desc) from "
                       "semel.decision where tenant = 't' and sequence < 99"),
              next + " 2");
}

}  // namespace
}  // namespace semel::test
