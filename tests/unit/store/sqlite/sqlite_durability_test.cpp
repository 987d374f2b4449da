// What was acknowledged is there after every kind of end.
#include <csignal>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;

class SqliteDurability : public SqliteTest {
protected:
    // A process that commits jobs 0, 1, … and writes a byte for each that was acknowledged.
    pid_t start_writer(int commits, int& acknowledged) const {
        std::array<int, 2> ends{};
        EXPECT_EQ(pipe(ends.data()), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            const auto store = open_sqlite_store(options);
            StoreDriver driver(**store);
            for (int n = 0; n < commits; ++n) {
                const bool done = driver.write(inserting({ready_job(n)})).has_value();
                if (!done || write(ends[1], "x", 1) != 1) {
                    break;
                }
            }
            _exit(0);  // without closing anything
        }
        close(ends[1]);
        acknowledged = ends[0];
        return child;
    }

    static bool read_one(int pipe_end) {
        char byte = 0;
        return read(pipe_end, &byte, 1) == 1;
    }
};

TEST_F(SqliteDurability, RowsOutliveTheStore) {
    insert(*open(), {ready_job(1), ready_job(2)});
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 2), id_at(kStart, 1)));
}

TEST_F(SqliteDurability, ClosingFoldsTheLogIntoTheFile) {
    insert(*open(), {ready_job(1)});
    EXPECT_FALSE(std::filesystem::exists(options.path + "-wal"));
}

TEST_F(SqliteDurability, RowsOutliveAProcessThatEndsAbruptly) {
    constexpr int kCommits = 20;
    int acknowledged = -1;
    const pid_t child = start_writer(kCommits, acknowledged);
    int count = 0;
    while (read_one(acknowledged)) {
        ++count;
    }
    waitpid(child, nullptr, 0);
    close(acknowledged);
    ASSERT_EQ(count, kCommits);
    EXPECT_EQ(ids_in(*open()).size(), static_cast<std::size_t>(kCommits));
}

TEST_F(SqliteDurability, RowsOutliveAProcessThatIsKilledWhileItCommits) {
    constexpr int kAcknowledged = 30;
    int acknowledged = -1;
    const pid_t child = start_writer(1'000'000, acknowledged);
    for (int n = 0; n < kAcknowledged; ++n) {
        ASSERT_TRUE(read_one(acknowledged));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    int count = kAcknowledged;
    while (read_one(acknowledged)) {
        ++count;
    }
    close(acknowledged);
    // At most one commit was made whose acknowledgement did not come out any more.
    const std::size_t stored = ids_in(*open()).size();
    EXPECT_GE(stored, static_cast<std::size_t>(count));
    EXPECT_LE(stored, static_cast<std::size_t>(count) + 1);
}

// Makes a table, and leaves the transaction open.
void begin_to_write(StoreDriver& driver) {
    ASSERT_TRUE(driver.load({}).has_value());
    const auto written = driver.write_own([](Tx& tx) {
        tx.execute("create table app_t (id)");
        return true;
    });
    ASSERT_TRUE(written.has_value()) << written.error().message();
    EXPECT_EQ(written->error, "");
}

TEST_F(SqliteDurability, AnOpenTransactionIsGoneWithItsStore) {
    {
        const auto store = open();
        StoreDriver driver(*store);
        begin_to_write(driver);
    }
    const auto store = open();
    StoreDriver driver(*store);
    begin_to_write(driver);  // which fails where the table is
}

TEST_F(SqliteDurability, ANewCommitterStartsAfresh) {
    const auto store = open();
    {
        StoreDriver abandoned(*store);
        begin_to_write(abandoned);
    }
    insert(*store, {ready_job(2)});
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 2)));
    StoreDriver driver(*store);
    begin_to_write(driver);
}

// ---- time -------------------------------------------------------------------------------------

class SqliteTime : public SqliteTest {
public:
    SqliteTime() {
        options.clock = [this] { return ClockSample{wall, wall.time_since_epoch()}; };
    }
    static Job job_of(Time time) {
        Job job = ready_job(1);
        job.id = id_at(time, 1);
        return job;
    }
    Time wall = kStart;
};

TEST_F(SqliteTime, DoesNotGoBackWithTheWallClockWhileTheStoreIsClosed) {
    insert(*open(), {ready_job(1)});
    wall = kStart - std::chrono::hours(25);
    EXPECT_EQ(open()->now(), kStart + Millis(1));  // and its ids are new
}

// Ids run ahead of the clock when many are made within a millisecond.
TEST_F(SqliteTime, StartsBehindTheNewestId) {
    insert(*open(), {job_of(kStart + Millis(5))});
    EXPECT_EQ(open()->now(), kStart + Millis(6));
}

TEST_F(SqliteTime, DoesNotGoBackForThoseWhoOnlyRead) {
    {
        const auto store = open();
        wall = kStart + Millis(777);
        EXPECT_EQ(store->now(), kStart + Millis(777));
    }
    wall = kStart;
    EXPECT_EQ(open()->now(), kStart + Millis(778));
}

TEST_F(SqliteTime, DoesNotGoBackAfterAnAbruptEnd) {
    const pid_t child = fork();
    if (child == 0) {
        const auto store = open_sqlite_store(options);
        wall = kStart + Millis(5000);
        const bool done = StoreDriver(**store).write(inserting({ready_job(1)})).has_value();
        _exit(done ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(open()->now(), kStart + Millis(5001));
}

}  // namespace
}  // namespace semel::test
