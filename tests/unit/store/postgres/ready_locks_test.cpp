// What a take keeps from the takes of others while it is under way.
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/user_session.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;

class ReadyLocks : public testing::Test {
protected:
    ReadyLocks() {
        const auto written = one_.write(inserting({ready_job(1), ready_job(2), ready_job(3)}));
        EXPECT_TRUE(written.has_value());
    }

    // What each query of a batch found. The batch is left open.
    static std::vector<std::vector<JobId>> begin(StoreDriver& node, std::vector<Query> queries) {
        std::vector<std::vector<JobId>> found;
        const Loaded loaded = node.load({.queries = std::move(queries)}).value();
        found.reserve(loaded.queries.size());
        for (const QueryResult& result : loaded.queries) found.push_back(result.jobs);
        return found;
    }
    static std::vector<JobId> numbers(std::initializer_list<int> jobs) {
        std::vector<JobId> ids;
        for (const int job : jobs) ids.push_back(id_at(kStart, job));
        return ids;
    }

    const ReadyQuery all_tenants_{.tenant = {}, .types = {"mail"}, .limit = 1};
    const ReadyQuery of_acme_{.tenant = "acme", .types = {"mail"}, .limit = 1};
    const std::string url_ = PostgresServer::shared().make_database();
    std::unique_ptr<Store> store_ =
        std::move(open_postgres_store({.url = url_,
                                       .clock =
                                           [] {
                                               return ClockSample{kStart, Millis(1)};
                                           }}))
            .value();
    StoreDriver one_{*store_};
    StoreDriver other_{*store_};
};

TEST_F(ReadyLocks, AreOnAsManyJobsOfATypeAsAreWanted) {
    EXPECT_THAT(begin(one_, {of_acme_}), ElementsAre(numbers({1})));
    EXPECT_THAT(begin(other_, {all_tenants_, of_acme_}), ElementsAre(numbers({2}), numbers({3})));
}

TEST_F(ReadyLocks, AreOnAsManyAsABatchWantsTogether) {
    EXPECT_THAT(begin(one_, {of_acme_, all_tenants_}), ElementsAre(numbers({1}), numbers({2})));
    EXPECT_THAT(begin(other_, {of_acme_}), ElementsAre(numbers({3})));
}

TEST_F(ReadyLocks, AreOnNoMoreThanWantedOfALongQueue) {
    std::vector<Job> jobs;
    for (int number = 4; number <= 100; ++number) jobs.push_back(ready_job(number));
    ASSERT_TRUE(one_.write(inserting(jobs)).has_value());
    const ReadyQuery forty{.tenant = {}, .types = {"mail"}, .limit = 40};
    const ReadyQuery sixty{.tenant = {}, .types = {"mail"}, .limit = 60};
    EXPECT_THAT(begin(one_, {forty}), ElementsAre(testing::SizeIs(40)));
    EXPECT_THAT(begin(other_, {sixty}), ElementsAre(testing::SizeIs(60)));
}

TEST_F(ReadyLocks, AreOnNoMoreThanWantedWhereATypeHasNone) {
    std::vector<Job> jobs;
    for (int number = 4; number <= 100; ++number) jobs.push_back(ready_job(number));
    ASSERT_TRUE(one_.write(inserting(jobs)).has_value());
    const ReadyQuery forty{.tenant = {}, .types = {"mail", "none"}, .limit = 40};
    const ReadyQuery sixty{.tenant = {}, .types = {"none", "mail"}, .limit = 60};
    EXPECT_THAT(begin(one_, {forty}), ElementsAre(testing::SizeIs(40)));
    EXPECT_THAT(begin(other_, {sixty}), ElementsAre(testing::SizeIs(60)));
}

// Each has a share; and while some of them are not known yet, others are read on.
TEST_F(ReadyLocks, OfManyTenantsLeaveJobsToOthers) {
    constexpr int kTenants = 40;
    std::vector<Job> jobs;
    for (int number = 100; number < 100 + kTenants * 10; ++number) {
        jobs.push_back(ready_job(number));
        jobs.back().tenant = "tenant-" + std::to_string(number % kTenants);
    }
    ASSERT_TRUE(one_.write(inserting(jobs)).has_value());
    const ReadyQuery some{.tenant = {}, .types = {"mail"}, .limit = 80};
    const ReadyQuery all{.tenant = {}, .types = {"mail"}, .limit = 1000};
    EXPECT_THAT(begin(one_, {some}), ElementsAre(testing::SizeIs(80)));
    EXPECT_THAT(begin(other_, {all}), ElementsAre(testing::SizeIs(testing::Gt(150)))) << "of 403";
}

// Whoever has the job may have to move it in its line, and waits for nobody.
TEST_F(ReadyLocks, AreNotOnTheQueueRowOfAJobThatAnotherHas) {
    UserSession holder(url_);
    const std::string first = " where id = '" + id_at(kStart, 1).to_string() + "'";
    holder.ask("begin; select id from semel.job" + first + " for update");
    EXPECT_THAT(begin(one_, {of_acme_}), ElementsAre(numbers({2})));
    EXPECT_EQ(holder.ask("select id from semel.ready" + first + " for update nowait"),
              id_at(kStart, 1).to_string());
}

// Who takes a job deletes its row of the line and does not change the job's own: a take that began
// to look before that must not find it ready.
TEST_F(ReadyLocks, AJobThatAnotherTookSinceTheLookIsNotTaken) {
    UserSession taker(url_);
    taker.ask("begin; select id from semel.job for update");
    taker.ask("delete from semel.ready where id = '" + id_at(kStart, 1).to_string() + "'");
    const auto load = [this] { return one_.load({.queries = {of_acme_}, .wait = true}); };
    auto loading = std::async(std::launch::async, load);
    UserSession watch(url_);
    // It waits for 50 ms at most; a busy machine may miss that.
    while (watch.ask("select count(*) from pg_stat_activity where wait_event_type = 'Lock' "
                     "and datname = current_database()") == "0" &&
           loading.wait_for(Millis(0)) != std::future_status::ready) {
        std::this_thread::yield();
    }
    taker.ask("commit");
    auto loaded = loading.get();
    if (!loaded) loaded = load();
    EXPECT_THAT(loaded.value().queries.at(0).jobs, ElementsAre(id_at(kStart, 2)));
}

}  // namespace
}  // namespace semel::test
