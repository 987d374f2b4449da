// What a commit survives follows the server's settings while a node runs.
#include <gmock/gmock.h>

#include "store/postgres/durability.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

using postgres::Connection;
using postgres::DurabilityWatch;
using testing::HasSubstr;

constexpr Time kAsked = from_ms(1'800'000'000'000);

std::unique_ptr<Connection> watched(const std::string& url) {
    return std::move(Connection::open({.url = url})).value();
}

class DurabilityWatching : public testing::Test {
protected:
    void set(const std::string& setting) {
        ask_postgres(url_, "alter system set " + setting);
        ask_postgres(url_, "select pg_reload_conf()");
    }

    PostgresServer server_{{.fsync = true, .settings = {"full_page_writes=on"}}};
    std::string url_ = server_.make_database();
};

TEST_F(DurabilityWatching, TheLesserClassIsSeenWithinSeconds) {
    const auto connection = watched(url_);
    DurabilityWatch watch(postgres::read_durability_settings(*connection).value());
    EXPECT_TRUE(watch.present().is_durable);
    watch.inspect(*connection, kAsked);
    set("synchronous_commit = off");
    while (ask_postgres(url_, "show synchronous_commit") != "off") {
    }
    watch.inspect(*connection, kAsked + Millis(4999));
    EXPECT_TRUE(watch.present().is_durable) << "not asked each time";
    Time now = kAsked;
    while (watch.present().is_durable) {  // a session hears of it between two statements
        now += Millis(5000);
        watch.inspect(*connection, now);
    }
    EXPECT_THAT(watch.present().words, HasSubstr("synchronous_commit = off"));
}

TEST(Durability, TheWeakestWriterCounts) {
    DurabilityWatch watch({"on", "on", "on", "standby"});
    EXPECT_THAT(watch.present().words, HasSubstr("synchronous_commit = on"));
    watch.commits_with(0, "remote_apply");
    watch.commits_with(1, "off");
    EXPECT_FALSE(watch.present().is_durable);
    watch.commits_with(1, "local");
    EXPECT_TRUE(watch.present().is_durable);
    EXPECT_THAT(watch.present().words, HasSubstr("a failover to a standby may lose it"));
    watch.commits_with(1, "on");
    EXPECT_THAT(watch.present().words, HasSubstr("synchronous_commit = on"));
}

TEST(Durability, PagesThatMayBeTornAreLess) {
    PostgresServer server{{.fsync = true, .settings = {"full_page_writes=off"}}};
    const auto read = postgres::read_durability(*watched(server.make_database())).value();
    EXPECT_FALSE(read.is_durable);
    EXPECT_THAT(read.words, HasSubstr("full_page_writes = off"));
}

TEST_F(DurabilityWatching, AStoreShowsThePresentClass) {
    const auto store = open_postgres_store({.url = url_}).value();
    EXPECT_TRUE(store->info().is_durable);
    set("synchronous_commit = off");
    while (store->info().is_durable) {
        ask_postgres(url_, "select 1");
    }
    EXPECT_THAT(store->info().durability, HasSubstr("synchronous_commit = off"));
}

}  // namespace
}  // namespace semel::test
