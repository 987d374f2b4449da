// Who holds back vacuum is named, with what to do about it.
#include "store/postgres/vacuum_watch.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cluster/user_session.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using postgres::Connection;
using postgres::VacuumWatch;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr Time kWatched = from_ms(1'800'000'000'000);
constexpr Millis kMinute = std::chrono::minutes(1);

std::unique_ptr<Connection> connect(const std::string& url) {
    return std::move(Connection::open({.url = url})).value();
}

class VacuumWatching : public testing::Test {
protected:
    std::string url_ = PostgresServer::shared().make_database();
    std::unique_ptr<Connection> connection_ = connect(url_);
    UserSession user_{url_ + "?application_name=report"};
    VacuumWatch watch_;
};

TEST_F(VacuumWatching, ASessionThatHoldsItForAMinuteIsNamed) {
    const std::string pid = user_.ask("select pg_backend_pid()");
    user_.ask("begin isolation level repeatable read; select count(*) from pg_class");
    watch_.inspect(*connection_, kWatched);
    watch_.inspect(*connection_, kWatched + kMinute - Millis(1));
    EXPECT_THAT(watch_.warnings(), IsEmpty());
    watch_.inspect(*connection_, kWatched + 2 * kMinute);
    const auto warnings = watch_.warnings();
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_EQ(warnings[0].name, "vacuum_held_back");
    EXPECT_THAT(warnings[0].detail,
                AllOf(HasSubstr("session " + pid), HasSubstr("user "),
                      HasSubstr("application report, idle in transaction"), HasSubstr("120 s")));
    EXPECT_EQ(warnings[0].fix, fmt::format("end it: select pg_terminate_backend({})", pid));
    user_.ask("rollback");
    watch_.inspect(*connection_, kWatched + 3 * kMinute);
    EXPECT_THAT(watch_.warnings(), IsEmpty());
}

TEST_F(VacuumWatching, TellsForHowLongItIsHeldBack) {
    watch_.inspect(*connection_, kWatched);
    EXPECT_EQ(watch_.held_back(), Millis(0));
    user_.ask("begin isolation level repeatable read; select count(*) from pg_class");
    watch_.inspect(*connection_, kWatched + kMinute);
    watch_.inspect(*connection_, kWatched + 2 * kMinute);
    EXPECT_EQ(watch_.held_back(), kMinute);
    user_.ask("rollback");
    watch_.inspect(*connection_, kWatched + 3 * kMinute);
    EXPECT_EQ(watch_.held_back(), Millis(0));
}

TEST_F(VacuumWatching, ItsAgeIsWhatTheServerSays) {
    VacuumWatch impatient(Millis(0));
    user_.ask("begin; create table written (id int)");
    impatient.inspect(*connection_, kWatched);
    const std::string pid = user_.ask("select pg_backend_pid()");
    EXPECT_THAT(impatient.warnings(),
                Contains(Field(&StoreWarning::detail,
                               AllOf(HasSubstr("session " + pid), Not(HasSubstr("at least"))))))
        << "at the first look";
}

TEST_F(VacuumWatching, OneThatHoldsNothingIsLeftAlone) {
    UserSession elsewhere(PostgresServer::shared().make_database());
    elsewhere.ask("begin; create table written (id int)");
    user_.ask("begin; select count(*) from pg_class");  // its snapshot ended with the statement
    watch_.inspect(*connection_, kWatched);
    watch_.inspect(*connection_, kWatched + 2 * kMinute);
    EXPECT_THAT(watch_.warnings(), IsEmpty());
}

TEST_F(VacuumWatching, AnotherTransactionOfTheSameSessionBeginsAnew) {
    user_.ask("begin; create table first (id int)");
    watch_.inspect(*connection_, kWatched);
    user_.ask("rollback; begin; create table second (id int)");
    watch_.inspect(*connection_, kWatched + 2 * kMinute);
    EXPECT_THAT(watch_.warnings(), IsEmpty());
}

TEST_F(VacuumWatching, ARoleThatSeesLittleSaysWhatItSees) {
    ask_postgres(url_, "drop role if exists stranger; create role stranger login");
    const auto stranger = connect(url_ + "?user=stranger");
    user_.ask("begin; create table written (id int)");
    watch_.inspect(*stranger, kWatched);
    watch_.inspect(*stranger, kWatched + 2 * kMinute);
    const auto warnings = watch_.warnings();
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_THAT(warnings[0].detail,
                AllOf(HasSubstr("user "), HasSubstr("at least 120 s"), Not(HasSubstr("idle"))));
    EXPECT_THAT(warnings[0].fix, HasSubstr("grant pg_read_all_stats"));
    ask_postgres(url_, "drop role stranger");
}

TEST(VacuumWatchingPrepared, APreparedTransactionIsNamed) {
    PostgresServer server({.settings = {"max_prepared_transactions=2"}});
    const std::string url = server.make_database();
    const auto connection = connect(url);
    ask_postgres(url, "begin; create table written (id int); prepare transaction 'two phases'");
    VacuumWatch watch;
    watch.inspect(*connection, kWatched);
    watch.inspect(*connection, kWatched + 2 * kMinute);
    ASSERT_THAT(watch.warnings(), SizeIs(1));
    EXPECT_THAT(watch.warnings()[0].detail, HasSubstr("prepared transaction two phases (user "));
    EXPECT_THAT(watch.warnings()[0].fix, HasSubstr("rollback prepared 'two phases'"));
    ask_postgres(url, "rollback prepared 'two phases'");
    watch.inspect(*connection, kWatched + 3 * kMinute);
    EXPECT_THAT(watch.warnings(), IsEmpty());
}

}  // namespace
}  // namespace semel::test
