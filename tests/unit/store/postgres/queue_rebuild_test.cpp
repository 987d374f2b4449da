// A database that was copied while its lines were written anew has them again when it is opened.
#include "store/postgres/queue_rebuild.hpp"

#include <gmock/gmock.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

constexpr const char* kEmptied =
    "truncate semel.ready, semel.later, semel.waiting, semel.running; ";

class QueueRebuild : public testing::Test {
protected:
    QueueRebuild() {
        const auto store = open();
        StoreDriver driver(*store);
        const auto written = driver.write(
            inserting({ready_job(1), later_job(2, kStart + std::chrono::hours(1)),
                       running_job(3, kStart + std::chrono::minutes(1)), waiting_job(4, "group"),
                       finished_job(5, Status::completed, kStart)}));
        EXPECT_TRUE(written.has_value());
    }

    [[nodiscard]] std::unique_ptr<Store> open() const {
        return std::move(open_postgres_store({.url = url_})).value();
    }
    [[nodiscard]] std::string lines() const {
        return ask_postgres(url_,
                            "select (select string_agg(r::text, ' ') from semel.ready r) || "
                            "(select string_agg(l::text, ' ') from semel.later l) || "
                            "(select string_agg(w::text, ' ') from semel.waiting w) || "
                            "(select string_agg(r::text, ' ') from semel.running r)");
    }

    const std::string url_ = PostgresServer::shared().make_database();
};

TEST_F(QueueRebuild, AreMadeFromTheJobs) {
    const std::string before = lines();
    ASSERT_FALSE(before.empty());
    ask_postgres(url_, std::string(kEmptied) + "update semel.meta set made_at = 'of another'");
    (void)open();
    EXPECT_EQ(lines(), before);
    ask_postgres(url_, kEmptied);
    (void)open();
    EXPECT_EQ(lines(), "") << "once: now it is no copy any more";
}

// Tables that a restore makes are others, whatever it says of those it was made of.
TEST_F(QueueRebuild, AreThoseOfTablesThatWereMadeAnew) {
    const std::string before = lines();
    ask_postgres(url_,
                 "create table semel.another (like semel.ready including all); "
                 "drop table semel.ready; alter table semel.another rename to ready");
    (void)open();
    EXPECT_EQ(lines(), before);
}

}  // namespace
}  // namespace semel::test
