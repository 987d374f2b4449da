// When the disk fails: nothing is acknowledged, nothing half-done stays, and work resumes.
#include <latch>

#include <gmock/gmock.h>

#include "support/faulty_vfs.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SqliteFailure : public SqliteTest {
public:
    FaultyVfs disk{"faulty"};
    std::unique_ptr<Store> store;

    void SetUp() override {
        options.vfs = disk.name();
        store = open();
    }
    void TearDown() override { store.reset(); }

    Result<void> try_insert(int number) {
        return StoreDriver(*store).write(inserting({ready_job(number)}));
    }

    Result<std::vector<ActionView>> list() {
        using Views = std::vector<ActionView>;
        return StoreDriver(*store).read<Views>([](Reads& reads, Done<Views> done) {
            reads.list_actions("acme", {}, std::nullopt, 10, std::move(done));
        });
    }

    // Both readers fail, and have no connection until the next read.
    void break_readers() {
        disk.reads_to_fail = 1000;
        std::latch both(2);
        std::latch ended(2);
        for (int i = 0; i < 2; ++i) {
            store->reads().list_actions("acme", {}, std::nullopt, 10,
                                        [&](const Result<std::vector<ActionView>>& views) {
                                            EXPECT_FALSE(views.has_value());
                                            both.arrive_and_wait();  // so that each has one
                                            ended.count_down();
                                        });
        }
        ended.wait();
        disk.reads_to_fail = 0;
    }

    // The rows that a crash right now would leave: the files as they are, opened elsewhere.
    std::vector<JobId> ids_after_crash() {
        const TempFolder elsewhere;
        const SqliteOptions copy = options_for(elsewhere.file("semel.db"));
        for (const char* suffix : {"", "-wal"}) {
            std::filesystem::copy_file(options.path + suffix, copy.path + suffix);
        }
        return ids_in(*open(copy));
    }
};

TEST_F(SqliteFailure, AFullDiskIsNamedAndWorkResumesWhenThereIsRoom) {
    disk.is_full = true;
    const auto refused = try_insert(1);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::unavailable);
    EXPECT_THAT(refused.error().message(), HasSubstr("make room on the disk"));
    EXPECT_THAT(ids_in(*store), IsEmpty());  // and reads stay up
    EXPECT_FALSE(try_insert(1).has_value());
    disk.is_full = false;
    EXPECT_TRUE(try_insert(1).has_value());
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 1)));
    EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 1)));
}

TEST_F(SqliteFailure, ACommitThatCouldNotBeSyncedHasFailedForGood) {
    ASSERT_TRUE(try_insert(1).has_value());
    disk.syncs_to_fail = 1;
    const auto refused = try_insert(2);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::io_error);
    // The log held all of it; something else was committed over it.
    EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 1)));
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 1)));
    EXPECT_TRUE(try_insert(2).has_value());
    EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 2), id_at(kStart, 1)));
}

TEST_F(SqliteFailure, WhileTheDiskStaysBrokenACommitIsUnknown) {
    ASSERT_TRUE(try_insert(1).has_value());
    disk.syncs_to_fail = 1000;
    const auto unknown = try_insert(2);
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().code(), ErrorCode::commit_unknown);
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 1)));
    disk.syncs_to_fail = 0;
    EXPECT_TRUE(try_insert(3).has_value());
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 3), id_at(kStart, 1)));
    EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 3), id_at(kStart, 1)));
}

// What an un-synced log says could be lost by a crash, or come back with it.
TEST_F(SqliteFailure, AnUnknownCommitIsSettledBeforeTheNextLoad) {
    ASSERT_TRUE(try_insert(1).has_value());
    disk.syncs_to_fail = 1000;
    ASSERT_EQ(try_insert(2).error().code(), ErrorCode::commit_unknown);
    StoreDriver driver(*store);
    EXPECT_FALSE(driver.load({}).has_value());
    disk.syncs_to_fail = 0;
    EXPECT_THAT(driver.look({.jobs = {{.id = id_at(kStart, 2)}}}).jobs, IsEmpty());
    EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 1)));
}

// Once no connection is open, the log is read anew, with all that was written to it.
TEST_F(SqliteFailure, AnUnknownCommitThatCameBackIsDurableBeforeTheNextLoad) {
    ASSERT_TRUE(try_insert(1).has_value());
    store.reset();
    store = open();  // with cold caches
    ASSERT_TRUE(try_insert(2).has_value());
    break_readers();
    disk.syncs_to_fail = 1000;
    ASSERT_EQ(try_insert(3).error().code(), ErrorCode::commit_unknown);
    StoreDriver driver(*store);
    const auto load = driver.load({});
    ASSERT_FALSE(load.has_value());
    EXPECT_THAT(load.error().message(),
                HasSubstr("cannot be made durable yet; the disk may be full"));
    EXPECT_THAT(load.error().message(), HasSubstr("KiB are free there"));
    disk.syncs_to_fail = 0;
    EXPECT_EQ(driver.look({.jobs = {{.id = id_at(kStart, 3)}}}).jobs.size(), 1U);
    EXPECT_EQ(std::filesystem::file_size(options.path + "-wal"), 0U);  // it is in the file
    EXPECT_EQ(ids_after_crash().size(), 3U);
}

// Written once for every step: the write that fails moves on until none does.
TEST_F(SqliteFailure, AnyWriteMayFail) {
    ASSERT_TRUE(try_insert(0).has_value());
    int failures = 0;
    for (int step = 0;; ++step) {
        disk.writes_before_fail = step;
        const auto done = try_insert(1);
        disk.writes_before_fail = -1;
        if (done) {
            break;
        }
        ++failures;
        EXPECT_EQ(done.error().code(), ErrorCode::io_error) << done.error().message();
        EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 0))) << "step " << step;
        EXPECT_THAT(ids_after_crash(), ElementsAre(id_at(kStart, 0))) << "step " << step;
    }
    EXPECT_GT(failures, 4);
    EXPECT_THAT(ids_in(*store), ElementsAre(id_at(kStart, 1), id_at(kStart, 0)));
}

TEST_F(SqliteFailure, AFailedLoadLeavesTheStoreUsable) {
    ASSERT_TRUE(try_insert(1).has_value());
    store.reset();
    options.writer_cache_kib = 1;  // so that a load has to ask the disk
    store = open();
    StoreDriver driver(*store);
    disk.reads_to_fail = 1000;
    LoadSpec spec;
    spec.jobs = {{.id = id_at(kStart, 1), .body = true}};
    const auto failed = driver.load(spec);
    disk.reads_to_fail = 0;
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code(), ErrorCode::io_error);
    EXPECT_THAT(failed.error().message(), HasSubstr("the disk fails or is full ("));
    EXPECT_EQ(driver.look(spec).jobs.size(), 1U);
}

TEST_F(SqliteFailure, AFailedReadLeavesReadsUsable) {
    ASSERT_TRUE(try_insert(1).has_value());
    store.reset();
    store = open();
    break_readers();
    EXPECT_EQ(list().value().size(), 1U);
    EXPECT_EQ(list().value().size(), 1U);
}

// ---- rows that contradict the schema -----------------------------------------------------------

TEST_F(SqliteFailure, RowsThatContradictTheirInvariantsAreRefused) {
    std::vector<Job> wrong;
    wrong.push_back(running_job(1, kStart));
    wrong.back().lease.reset();
    wrong.push_back(ready_job(1));
    wrong.back().lease = Lease{"w", kStart, kStart, {}};
    wrong.push_back(ready_job(1));
    wrong.back().place = Place::running;
    wrong.push_back(ready_job(1));
    wrong.back().completed_at = kStart;
    wrong.push_back(finished_job(1, Status::failed, kStart));
    wrong.back().completed_at.reset();
    wrong.push_back(ready_job(1));
    wrong.back().predecessor = id_at(kStart, 2);
    wrong.push_back(ready_job(1));
    wrong.back().superseded_by = id_at(kStart, 2);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const auto refused = StoreDriver(*store).write(inserting({wrong[i]}));
        ASSERT_FALSE(refused.has_value()) << "row " << i;
        EXPECT_EQ(refused.error().code(), ErrorCode::invalid) << refused.error().message();
    }
    EXPECT_THAT(ids_in(*store), IsEmpty());
}

}  // namespace
}  // namespace semel::test
