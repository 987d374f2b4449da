// What the rows of chains, and ids that callers chose, mean to an SQLite file.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/sqlite/store_file.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class SqliteChains : public SqliteTest {
protected:
    void run_sql(const std::string& sql) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(options.path.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
    // Two ids with the same first half.
    static std::pair<Job, Job> alike() {
        Job one = ready_job(1);
        Job other = one;
        other.id.bytes.back() = 9;
        other.chain = other.id;
        return {one, other};
    }
    // A chain of two, and a job that waits for it.
    void write_chain() const {
        Job first = ready_job(1);
        first.in_chain = true;
        first.status = Status::completed;
        first.place = Place::retained;
        first.completed_at = kStart;
        const Job last = next_job(first, first, 2);
        Changes changes = inserting({first, last, ready_job(3)});
        changes.edges = {inserted(Edge{{id_at(kStart, 3), 0}, first.id, false})};
        const auto store = open();
        ASSERT_TRUE(StoreDriver(*store).write(changes).has_value());
    }
};

TEST_F(SqliteChains, IdsThatBeginAlikeAreFoundAfterAnOpening) {
    const auto [one, other] = alike();
    { insert(*open(), {one, other}); }
    const auto store = open();
    EXPECT_THAT(ids_in(*store), ElementsAre(other.id, one.id));
    LoadSpec spec;
    spec.jobs = {{.id = one.id}, {.id = other.id}};
    EXPECT_THAT(StoreDriver(*store).look(spec).jobs, UnorderedElementsAre(one, other));
    Job third = other;
    third.id.bytes.back() = 5;
    third.chain = third.id;
    insert(*store, {third});
    EXPECT_THAT(ids_in(*store), ElementsAre(other.id, third.id, one.id));
    ASSERT_TRUE(
        sqlite::inspect_store(options.path, {.state = sqlite::FileState::open}).has_value());
}

// The numbers that twins get begin where no date does, but a caller may choose any bits.
TEST_F(SqliteChains, ATwinGetsNoNumberThatAnotherHas) {
    const auto [one, other] = alike();
    Job odd = one;
    odd.id = odd.chain = *Uuid::parse("80000000-0000-0001-0000-000000000000");
    Job last = one;
    last.id = last.chain = *Uuid::parse("ffffffff-ffff-ffff-ffff-ffffffffffff");
    Job late = one;
    late.id = late.chain = *Uuid::parse("80000000-0000-0002-0000-000000000000");
    const auto store = open();
    insert(*store, {odd, last, one, other});
    insert(*store, {late});  // the number that the twin got
    EXPECT_THAT(ids_in(*store), ElementsAre(last.id, late.id, odd.id, other.id, one.id));
}

TEST_F(SqliteChains, AnIdThatIsThereIsNotWrittenAgain) {
    const auto [one, other] = alike();
    const auto store = open();
    insert(*store, {one, other});
    for (const Job& job : {one, other}) {
        const auto written = StoreDriver(*store).write(inserting({job}));
        ASSERT_FALSE(written.has_value());
        EXPECT_EQ(written.error().code(), ErrorCode::busy);
    }
    Changes first_goes;
    first_goes.jobs.push_back(deleted(one));
    ASSERT_TRUE(StoreDriver(*store).write(first_goes).has_value());
    EXPECT_FALSE(StoreDriver(*store).write(inserting({other})).has_value());
    EXPECT_THAT(ids_in(*store), ElementsAre(other.id));
}

TEST_F(SqliteChains, ATwinThatIsNotFoundIsDamage) {
    const auto [one, other] = alike();
    { insert(*open(), {one, other}); }
    ASSERT_TRUE(sqlite::inspect_store(options.path, {}).has_value());
    run_sql("delete from twin");
    const auto polled = sqlite::inspect_store(options.path, {});
    ASSERT_FALSE(polled.has_value());
    EXPECT_THAT(polled.error().message(), HasSubstr("a job is not found where it lies"));
}

TEST_F(SqliteChains, AnIdFromTheFutureDoesNotMoveTime) {
    options.clock = [] { return ClockSample{kStart, kStart.time_since_epoch()}; };
    {
        Job job = ready_job(1);
        job.id = job.chain = id_at(kStart + std::chrono::hours(24 * 365));
        const auto store = open();
        insert(*store, {job});
    }
    const auto store = open();
    EXPECT_LT(store->now(), kStart + std::chrono::minutes(1));
}

TEST_F(SqliteChains, AStoreFromBeforeChainsIsBroughtToThem) {
    options.clock = [] { return ClockSample{kStart, kStart.time_since_epoch()}; };
    const Job ended = finished_job(1, Status::completed, kStart);
    {
        const auto store = open();
        insert(*store, {ended, ready_job(2)});
    }
    run_sql(kBackToVersion4);
    const auto store = open();
    StoreDriver driver(*store);
    LoadSpec spec;
    spec.queries = {FinishedQuery{Millis(0), 10}};
    const auto found = driver.look(spec).queries.at(0).chains;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].last, ended.id);
    const auto chain = driver.get_chain("acme", id_at(kStart, 2));
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(chain->last, ready_job(2));
}

TEST_F(SqliteChains, AChainWithoutItsLastJobIsDamage) {
    write_chain();
    ASSERT_TRUE(sqlite::inspect_store(options.path, {}).has_value());
    run_sql("delete from job_count; delete from job where number = (select high from step)");
    const auto polled = sqlite::inspect_store(options.path, {});
    ASSERT_FALSE(polled.has_value());
    EXPECT_EQ(polled.error().code(), ErrorCode::corrupt);
    EXPECT_THAT(polled.error().message(), HasSubstr("the last of its chain, has no row"));
}

TEST_F(SqliteChains, AnEdgeWithoutItsJobIsDamage) {
    write_chain();
    run_sql("update edge set blocked = zeroblob(16)");
    const auto polled = sqlite::inspect_store(options.path, {});
    ASSERT_FALSE(polled.has_value());
    EXPECT_EQ(polled.error().code(), ErrorCode::corrupt);
    EXPECT_THAT(polled.error().message(), HasSubstr("which waits for a chain, has no row"));
}

}  // namespace
}  // namespace semel::test
