// What a take keeps from the takes of others while it is under way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(ReadyLocks, AreOnNoMoreThanWantedOfALongLine) {
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

// Between the look at the line and the lock on a job, that job may have left the line and come
// back.
TEST_F(ReadyLocks, ALineRowThatLiesElsewhereByThenIsDecidedAgain) {
    const auto take = [this] {
        const Loaded loaded = one_.load({.queries = {of_acme_}}).value();
        const Job& ready = loaded.jobs.at(0);
        Job taken = running_job(1, kStart + std::chrono::minutes(1));
        taken.created_at = ready.created_at;
        Changes changes;
        changes.jobs.push_back(changed(ready, taken));
        return changes;
    };
    Changes taking = take();
    ask_postgres(url_,
                 "create temp table kept as select * from semel.ready; delete from semel.ready; "
                 "insert into semel.ready select * from kept");
    ASSERT_TRUE(one_.save(std::move(taking)).has_value());
    const auto committed = one_.commit();
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code(), ErrorCode::busy) << committed.error().message();
    ASSERT_TRUE(one_.save(take()).has_value());
    EXPECT_TRUE(one_.commit().has_value()) << "by where it lies now";
    EXPECT_THAT(begin(other_, {of_acme_}), ElementsAre(numbers({2})));
}

}  // namespace
}  // namespace semel::test
