// A node that stands still in the middle of a batch.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "support/pgbouncer.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"
#include "support/tcp_proxy.hpp"

namespace semel::test {
namespace {

std::unique_ptr<Store> open_store(const std::string& url) {
    return std::move(open_postgres_store({.url = url})).value();
}

// The frozen node's rows come free, although it never says a word; and when it wakes up, it has
// done nothing.
void stand_still(const std::string& url) {
    const auto frozen_store = open_store(url);
    const auto store = open_store(url);
    StoreDriver frozen(*frozen_store, 1);
    StoreDriver driver(*store, 2);
    const Job job = ready_job(1);
    ASSERT_TRUE(driver.write(inserting({job})).has_value());
    const LoadSpec spec{.jobs = {{.id = job.id}}};
    ASSERT_EQ(frozen.load(spec).value().jobs.size(), 1U);
    EXPECT_EQ(driver.look(spec).locked_elsewhere.jobs.size(), 1U);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool is_free = false;
    while (!is_free && std::chrono::steady_clock::now() < deadline) {
        LoadSpec waiting = spec;
        waiting.wait = true;
        is_free = driver.load(waiting).has_value();  // or busy
    }
    ASSERT_TRUE(is_free);
    ASSERT_TRUE(driver.roll_back().has_value());
    const auto committed = frozen.commit(inserting({ready_job(2)}));
    ASSERT_FALSE(committed.has_value());
    // A pooler says that the connection is gone, and not why.
    EXPECT_TRUE(committed.error().code() == ErrorCode::busy ||
                committed.error().code() == ErrorCode::unavailable)
        << committed.error().message();
    EXPECT_EQ(frozen.list_actions(job.tenant).size(), 1U);
    EXPECT_TRUE(frozen.write(inserting({ready_job(2)})).has_value()) << "it goes on";
}

TEST(ClusterStandstill, LosesItsRowsAndDoesNothing) {
    stand_still(PostgresServer::shared().make_database());
}

TEST(ClusterStandstill, LosesItsRowsBehindAPooler) {
    PostgresServer& server = PostgresServer::shared();
    const PgBouncer bouncer(server);
    stand_still(bouncer.url(server.make_database()));
}

// The server has said that nothing was done, so there is nothing to be found out.
TEST(ClusterStandstill, IsNoUnknownCommitWhereNobodyCanBeAsked) {
    PostgresServer& server = PostgresServer::shared();
    const std::string url = server.make_database();
    TcpProxy proxy(server.port());
    const auto store = open_store(proxy.url(url));
    StoreDriver frozen(*store);
    ASSERT_TRUE(frozen.load({}).has_value());
    while (ask_postgres(url,
                        "select count(*) from pg_stat_activity "
                        "where state = 'idle in transaction'") != "0") {
        std::this_thread::yield();
    }
    proxy.refuse();
    const auto committed = frozen.commit(inserting({ready_job(1)}));
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code(), ErrorCode::busy) << committed.error().message();
}

}  // namespace
}  // namespace semel::test
