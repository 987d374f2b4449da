// What a commit is worth is what the session says that makes it.
#include <atomic>

#include "cluster/user_session.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

class ClusterDurability : public testing::Test {
protected:
    void commit() {
        ActionRequest request;
        request.type = "pay";
        (void)driver_.run(ScheduleActions{.tenant = "default", .items = {request}});
    }
    // Until the store's own chores have been done twice at a later time.
    void wait_for_chores() {
        for (int i = 0; i < 2; ++i) {
            now_ = now_.load() + std::chrono::seconds(10);
            user_.ask("do $$ begin while (select time_mark from semel.meta) < " +
                      std::to_string(to_ms(now_.load()) - 5'000) +
                      " loop perform pg_sleep(0.02); end loop; end $$");
        }
    }

    PostgresServer server_{{.fsync = true, .settings = {"full_page_writes=on"}}};
    const std::string url_ = server_.make_database();
    std::atomic<Time> now_ = kStart;  // read by the store on threads of its own
    std::unique_ptr<Store> store_ =
        std::move(open_postgres_store({
                      .url = url_,
                      .clock =
                          [this] {
                              const Time time = now_;
                              return ClockSample{time, time.time_since_epoch()};
                          },
                  }))
            .value();
    StoreDriver driver_{*store_};
    UserSession user_{url_};
};

TEST_F(ClusterDurability, AWriterWhoseCommitsAreAsynchronousIsSeen) {
    commit();
    wait_for_chores();
    EXPECT_TRUE(store_->info().is_durable);
    user_.ask(
        "do $$ begin execute format('alter database %I set synchronous_commit = off', "
        "current_database()); end $$");
    // The connection that keeps the books stays, and has what it had.
    user_.ask(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity "
        "where datname = current_database() and query = 'commit'");
    commit();
    wait_for_chores();
    EXPECT_FALSE(store_->info().is_durable) << store_->info().durability;
}

}  // namespace
}  // namespace semel::test
