// While somebody holds back vacuum, lines get rid of their dead rows all the same, and of no other.
#include "store/postgres/queue_vacuum.hpp"

#include <atomic>
#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cluster/user_session.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

using postgres::Connection;
using postgres::QueueVacuum;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr int kManyDead = 5'000;
constexpr int kManyLiving = 10'001;
constexpr Millis kLong = std::chrono::minutes(1);

class VacuumedQueues : public testing::Test {
protected:
    VacuumedQueues() {
        EXPECT_TRUE(migrate_postgres_schema(url_).has_value());
        holder_.ask("begin isolation level repeatable read; select count(*) from pg_class");
    }

    void bury(const std::string& line, const std::string& columns) {
        user_.ask(
            fmt::format("insert into semel.{0} select {1} from generate_series(1, {2}) n; "
                        "delete from semel.{0} where id::text like '00000000-dead%'; "
                        "select pg_stat_force_next_flush()",
                        line, columns, kManyDead));
    }
    [[nodiscard]] int dead_in_ready() {
        return std::stoi(
            user_.ask("select n_dead_tup from pg_stat_user_tables where relname = 'ready'"));
    }
    void bury_in_ready() { bury("ready", fmt::format("'acme', 'mail', 0, n, {}", kDeadId)); }
    [[nodiscard]] int bytes_of(const std::string& line) {
        return std::stoi(user_.ask(fmt::format("select pg_relation_size('semel.{}')", line)));
    }
    // The statistics are the last statement's, and come with the next.
    void renew(Connection& connection, Millis held_back = kLong) {
        user_.ask("select 1");
        QueueVacuum().run(connection, held_back, kStart);
    }
    void renew(Millis held_back = kLong) { renew(*connection_, held_back); }

    static constexpr std::string_view kDeadId =
        "('00000000-dead-7000-8000-' || lpad(n::text, 12, '0'))::uuid";
    const std::string url_ = PostgresServer::shared().make_database();
    const std::unique_ptr<Connection> connection_ =
        std::move(Connection::open({.url = url_})).value();
    UserSession user_{url_};
    UserSession holder_{url_};
};

TEST_F(VacuumedQueues, AreEachShortAgain) {
    bury_in_ready();
    bury("later", fmt::format("n, {}", kDeadId));
    bury("waiting", fmt::format("'acme', 'group', n, {}", kDeadId));
    bury("running", fmt::format("{}, n", kDeadId));
    user_.ask("vacuum semel.ready, semel.later, semel.waiting, semel.running");
    for (const std::string line : {"ready", "later", "waiting", "running"}) {
        EXPECT_GT(bytes_of(line), 100'000) << line << ", which vacuum could not shorten";
    }
    renew();
    for (const std::string line : {"ready", "later", "waiting", "running"}) {
        EXPECT_EQ(bytes_of(line), 0) << line;
    }
}

TEST_F(VacuumedQueues, KeepWhatLives) {
    const auto store = std::move(open_postgres_store({.url = url_})).value();
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.write(inserting({ready_job(1), ready_job(2), ready_job(3)})).has_value());
    bury_in_ready();
    renew();
    EXPECT_LT(bytes_of("ready"), 10'000);
    const LoadSpec all{.queries = {ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 10}}};
    EXPECT_THAT(driver.look(all).queries.at(0).jobs,
                ElementsAre(ready_job(1).id, ready_job(2).id, ready_job(3).id));
}

// Whoever changes them meanwhile: nothing is lost, and nothing comes back.
TEST_F(VacuumedQueues, AreWhatTheirChangesMadeThem) {
    constexpr int kRows = 300;
    std::atomic<bool> is_done = false;
    const auto change = std::async(std::launch::async, [&] {
        UserSession session(url_);
        for (int n = 1; n <= kRows; ++n) {
            session.ask(
                fmt::format("insert into semel.ready values ('acme', 'mail', 0, {}, "
                            "gen_random_uuid())",
                            n));
            session.ask(fmt::format("delete from semel.ready where scheduled_at = {}", n / 2));
        }
        is_done = true;
    });
    const auto other = std::move(Connection::open({.url = url_})).value();
    const auto beside = std::async(std::launch::async, [&] {
        while (!is_done) QueueVacuum().run(*other, kLong, kStart);
    });
    int renewals = 0;
    while (!is_done) {
        bury_in_ready();
        renew();
        renewals += bytes_of("ready") < 100'000 ? 1 : 0;
    }
    change.wait();
    beside.wait();
    EXPECT_GT(renewals, 0);
    EXPECT_EQ(user_.ask("select count(*) || ' ' || min(scheduled_at) from semel.ready"),
              fmt::format("{} {}", kRows / 2, kRows / 2 + 1));
}

TEST_F(VacuumedQueues, AreVacuumedWhereNobodyHoldsThatBackForLong) {
    bury_in_ready();
    renew(std::chrono::milliseconds(4'999));
    EXPECT_GT(bytes_of("ready"), 100'000);
    EXPECT_EQ(dead_in_ready(), kManyDead) << "they cannot go yet";
    holder_.ask("rollback");
    renew(Millis(0));
    EXPECT_EQ(dead_in_ready(), 0);
    EXPECT_EQ(user_.ask("select count(*) from pg_stat_user_tables where last_vacuum is not null"),
              "1")
        << "and no other line is looked at";
}

TEST_F(VacuumedQueues, AreNotVacuumedForAFewRows) {
    holder_.ask("rollback");
    user_.ask(
        "insert into semel.ready select 'acme', 'mail', 0, n, gen_random_uuid() "
        "from generate_series(1, 1999) n; delete from semel.ready; "
        "select pg_stat_force_next_flush()");
    renew(Millis(0));
    EXPECT_EQ(dead_in_ready(), 1999);
}

TEST_F(VacuumedQueues, AreNotVacuumedWhereFarMoreRowsLive) {
    holder_.ask("rollback");
    user_.ask(
        fmt::format("insert into semel.ready select 'acme', 'mail', 0, n, gen_random_uuid() "
                    "from generate_series(1, {}) n; analyze semel.ready",
                    11 * kManyDead));
    bury_in_ready();
    renew(Millis(0));
    EXPECT_EQ(dead_in_ready(), kManyDead);
}

TEST_F(VacuumedQueues, AreLeftAloneWhereSomebodyReadsThem) {
    bury_in_ready();
    UserSession dump(url_);
    dump.ask("begin; select count(*) from semel.ready");
    renew();
    EXPECT_GT(bytes_of("ready"), 100'000);
    dump.ask("rollback");
    renew();
    EXPECT_EQ(bytes_of("ready"), 0);
}

// Each try makes all others wait for a moment.
TEST_F(VacuumedQueues, AreTriedLessOftenWhereThatFails) {
    bury_in_ready();
    user_.ask("select 1");
    UserSession dump(url_);
    dump.ask("begin; select count(*) from semel.ready");
    QueueVacuum renewal;
    renewal.run(*connection_, kLong, kStart);
    renewal.run(*connection_, kLong, kStart + std::chrono::seconds(2));
    dump.ask("rollback");
    renewal.run(*connection_, kLong, kStart + std::chrono::seconds(5));
    EXPECT_GT(bytes_of("ready"), 100'000) << "after two failures";
    renewal.run(*connection_, kLong, kStart + std::chrono::seconds(6));
    EXPECT_EQ(bytes_of("ready"), 0);
}

TEST_F(VacuumedQueues, AreLeftAloneByARoleThatMayNot) {
    ask_postgres(url_,
                 "drop role if exists careful; create role careful login; grant usage on schema "
                 "semel to careful; grant select, insert, update, delete on all tables in schema "
                 "semel to careful");
    const auto careful = std::move(Connection::open({.url = url_ + "?user=careful"})).value();
    bury_in_ready();
    renew(*careful);
    EXPECT_GT(bytes_of("ready"), 100'000);
    renew(*careful, Millis(0));
    EXPECT_THAT(PostgresServer::shared().log(), Not(HasSubstr("only table or database owner")));
    EXPECT_THAT(PostgresServer::shared().log(), Not(HasSubstr("denied for table ready")))
        << "it was not even tried";
    ask_postgres(url_, "drop owned by careful; drop role careful");
}

// The server's counts are gone after a crash: then they say that few rows live.
TEST_F(VacuumedQueues, AreLeftAloneWhereManyRowsLive) {
    user_.ask(
        fmt::format("insert into semel.ready select 'acme', 'mail', 0, n, gen_random_uuid() "
                    "from generate_series(1, {}) n",
                    kManyLiving));
    user_.ask("select pg_stat_force_next_flush()");
    user_.ask("select pg_stat_reset_single_table_counters('semel.ready'::regclass)");
    bury_in_ready();
    renew();
    EXPECT_EQ(user_.ask("select count(*) from semel.ready"), std::to_string(kManyLiving));
    EXPECT_GT(bytes_of("ready"), 1'000'000);
}

}  // namespace
}  // namespace semel::test
