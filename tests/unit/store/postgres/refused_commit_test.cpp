// What the server refuses of a batch, although its commit was sent along with it.
#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

class RefusedCommits : public testing::Test {
protected:
    const std::string url_ = PostgresServer::shared().make_database();
    const std::unique_ptr<Store> store_ = std::move(open_postgres_store({.url = url_})).value();
    StoreDriver driver_{*store_};
};

// Then each command of the batch is tried by itself.
TEST_F(RefusedCommits, ARowThatIsNotThereMakesTheBatchInvalid) {
    Changes changes = inserting({ready_job(2)});
    Job edited = ready_job(1);
    edited.priority = 3;
    changes.jobs.push_back(changed(ready_job(1), edited));
    const auto committed = driver_.write(changes);
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code(), ErrorCode::invalid);
    EXPECT_NE(committed.error().message().find("0 rows touched instead of 1"), std::string::npos)
        << committed.error().message();
    EXPECT_TRUE(driver_.list_actions("acme").empty());
}

}  // namespace
}  // namespace semel::test
