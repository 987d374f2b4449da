// What a commit is worth is what the session says that makes it.
#include "cluster/outbox_fixture.hpp"

namespace semel::test {
namespace {

class ClusterDurability : public Outbox {
protected:
    // Until the store's own chores have been done twice at a later time.
    void wait_for_chores() {
        for (int i = 0; i < 2; ++i) {
            now = now.load() + std::chrono::seconds(10);
            user.ask("do $$ begin while (select time_mark from semel.meta) < " +
                     std::to_string(to_ms(now.load()) - 5'000) +
                     " loop perform pg_sleep(0.02); end loop; end $$");
        }
    }
};

TEST_F(ClusterDurability, AWriterWhoseCommitsAreAsynchronousIsSeen) {
    schedule_in("g");
    wait_for_chores();
    EXPECT_TRUE(store->info().is_durable);
    user.ask(
        "do $$ begin execute format('alter database %I set synchronous_commit = off', "
        "current_database()); end $$");
    user.ask(
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where datname = current_database() and query = 'commit'");
    schedule_in("g");
    wait_for_chores();
    EXPECT_FALSE(store->info().is_durable) << store->info().durability;
}

}  // namespace
}  // namespace semel::test
