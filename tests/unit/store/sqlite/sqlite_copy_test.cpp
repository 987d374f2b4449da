// Copies of a store in use, what is said of a store's file, and putting a copy in a store's place.
#include <fstream>
#include <future>

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/store_restore.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class SqliteCopy : public SqliteTest {
protected:
    static Result<OpenFile> copy(
        Store& store, IsWanted is_wanted = [] { return true; }) {
        std::promise<Result<OpenFile>> promise;
        store.copy(std::move(is_wanted),
                   [&](Result<OpenFile> copied) { promise.set_value(std::move(copied)); });
        return promise.get_future().get();
    }
    // The copy as a file with a name.
    void keep_copy(Store& store, const std::string& path) {
        const auto copied = copy(store);
        ASSERT_TRUE(copied.has_value()) << copied.error().message();
        std::ofstream(path, std::ios::binary) << copied->read(0, copied->size()).value();
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            names.push_back(entry.path().filename());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    static std::vector<JobId> ids_at(const std::string& path) {
        return ids_in(*open(options_for(path)));
    }
    Result<sqlite::Restored> restore(bool replaces, Time wall_clock = kStart) {
        return sqlite::restore_store(
            {.file = backup, .path = options.path, .replaces = replaces, .wall_clock = wall_clock});
    }
    void run_sql(const std::string& path, const std::string& sql) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }
    // Why a file is not taken for a backup.
    Error refusal_of(const std::string& content) {
        std::ofstream(backup, std::ios::binary) << content;
        const auto restored = restore(false);
        EXPECT_FALSE(restored.has_value());
        EXPECT_FALSE(std::filesystem::exists(options.path));
        return restored ? Error(ErrorCode::invalid, "") : restored.error();
    }
    std::string content_of_backup() const {
        return OpenFile::open(backup)->read(0, std::size_t{1} << 30).value();
    }

    const std::string backup = folder.file("backup.db");
};

TEST_F(SqliteCopy, ACopyHasAllThatWasCommittedAndIsGoneWhenItIsClosed) {
    const auto store = open();
    insert(*store, {ready_job(1), running_job(2, kStart), ready_job(3)});
    const auto before = files();
    keep_copy(*store, backup);
    insert(*store, {ready_job(4)});
    EXPECT_THAT(ids_at(backup), ElementsAre(id_at(kStart, 3), id_at(kStart, 2), id_at(kStart, 1)));
    for (const std::string& name : files()) {
        EXPECT_TRUE(name.starts_with("backup.db") || std::count(before.begin(), before.end(), name))
            << name;
    }
}

// The moment of the copy is one: half of a commit would be a wrong number of jobs.
TEST_F(SqliteCopy, CommitsGoOnBesideACopyAndAreWholeOrNotInIt) {
    const auto store = open();
    std::vector<Job> jobs;
    for (int i = 1; i <= 4000; ++i) {
        jobs.push_back(ready_job(i));
        jobs.back().lock_group.assign(1000, 'g');  // so that a copy takes several steps
    }
    insert(*store, jobs);
    int steps = 0;
    int number = 4000;
    // Asked between the steps of the copy: a commit of two jobs each time.
    const auto copied = copy(*store, [&] {
        if (++steps > 1 && steps < 20) {
            insert(*store, {ready_job(number + 1), ready_job(number + 2)});
            number += 2;
        }
        return true;
    });
    ASSERT_TRUE(copied.has_value()) << copied.error().message();
    EXPECT_GT(steps, 2) << "the copy had one step only";
    std::ofstream(backup, std::ios::binary) << copied->read(0, copied->size()).value();
    const auto facts = sqlite::inspect_store(backup, {});
    ASSERT_TRUE(facts.has_value()) << facts.error().message();
    EXPECT_EQ(facts->jobs, (std::map<Status, std::int64_t>{{Status::pending, 4000}}));
}

TEST_F(SqliteCopy, AnUnwantedCopyEndsAndLeavesNothing) {
    const auto store = open();
    insert(*store, {ready_job(1)});
    const auto before = files();
    int asked = 0;
    const auto copied = copy(*store, [&asked] { return ++asked < 2; });
    // A small store is copied in one step; then nobody has asked too late.
    if (!copied) {
        EXPECT_EQ(copied.error().code(), ErrorCode::stopped);
    }
    EXPECT_EQ(files(), before);
    EXPECT_EQ(copy(*store, [] { return false; }).error().code(), ErrorCode::stopped);
}

TEST_F(SqliteCopy, WhatAProcessThatDiedLeftBehindIsSweptAndNothingElse) {
    const std::string left = options.path + ".copying-0123456789abcdef";
    const std::string mine = options.path + ".copying-monday";
    const std::string other = folder.file("other.db.copying-0123456789abcdef");
    for (const std::string& path : {left, mine, other}) {
        std::ofstream(path) << "x";
    }
    open().reset();
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(mine));
    EXPECT_TRUE(std::filesystem::exists(other));
}

TEST_F(SqliteCopy, AFileTellsWhatItHolds) {
    {
        const auto store = open();
        insert(*store, {ready_job(1), ready_job(2), finished_job(3, Status::failed, kStart),
                        finished_job(4, Status::failed, kStart + Millis(5))});
        keep_copy(*store, backup);
    }
    const auto before = files();
    const auto facts = sqlite::inspect_store(backup, {.failed_since = kStart + Millis(5)});
    ASSERT_TRUE(facts.has_value()) << facts.error().message();
    EXPECT_EQ(facts->bytes, std::filesystem::file_size(backup));
    EXPECT_TRUE(facts->is_schema_newest);
    EXPECT_EQ(facts->jobs,
              (std::map<Status, std::int64_t>{{Status::pending, 2}, {Status::failed, 2}}));
    EXPECT_EQ(facts->failed_lately, 1);
    ASSERT_TRUE(facts->oldest_due.has_value());
    EXPECT_EQ(facts->oldest_due->type, "mail");
    EXPECT_EQ(facts->oldest_due->scheduled_at, ready_job(1).scheduled_at);
    EXPECT_EQ(files(), before) << "looking makes no files";
}

TEST_F(SqliteCopy, AStoreInUseCanBeLookedAt) {
    const auto store = open();
    insert(*store, {ready_job(1)});  // in the log
    EXPECT_EQ(sqlite::LockFile::holder(options.path), "process " + std::to_string(getpid()));
    const auto facts = sqlite::inspect_store(options.path, {.state = sqlite::FileState::open});
    ASSERT_TRUE(facts.has_value()) << facts.error().message();
    EXPECT_EQ(facts->jobs.at(Status::pending), 1);
    insert(*store, {ready_job(2)});
}

TEST_F(SqliteCopy, NobodyHoldsAClosedOrAMissingStore) {
    EXPECT_EQ(sqlite::LockFile::holder(options.path), std::nullopt);
    open().reset();
    EXPECT_EQ(sqlite::LockFile::holder(options.path), std::nullopt);
}

class SqliteRestore : public SqliteCopy {
protected:
    // A store with jobs 1 and 2, of which 1 is in the backup.
    void SetUp() override {
        const auto store = open();
        insert(*store, {ready_job(1)});
        keep_copy(*store, backup);
        insert(*store, {ready_job(2)});
    }
    // The token with which a job was taken.
    static std::int64_t take_one(Store& store, Millis lease = Millis(1000)) {
        const auto [taken] = StoreDriver(store).run(TakeJobs{
            .query = {.tenant = "acme", .types = {"mail"}}, .worker = "w", .lease = lease});
        return to_int(std::get<TakeJobs::Outcome>(taken).at(0).job.token);
    }
    void lose_store() const {
        for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
            std::filesystem::remove(options.path + suffix);
        }
    }
};

TEST_F(SqliteRestore, ALostStoreIsAsItWasThen) {
    lose_store();
    const auto restored = restore(false);
    ASSERT_TRUE(restored.has_value()) << restored.error().message();
    EXPECT_EQ(restored->kept_aside, "");
    struct stat status {};
    ASSERT_EQ(stat(options.path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_THAT(files(), ElementsAre("backup.db", "semel.db", "semel.db.lock"));
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 1)));
}

TEST_F(SqliteRestore, AStoreThatIsThereIsKeptAside) {
    const auto refused = restore(false);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("--force"));
    EXPECT_EQ(ids_in(*open()).size(), 2U);

    const auto restored = restore(true);
    ASSERT_TRUE(restored.has_value()) << restored.error().message();
    EXPECT_THAT(restored->kept_aside, StartsWith(options.path + ".before-restore-20270115T"));
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 1)));
    EXPECT_THAT(ids_at(restored->kept_aside), ElementsAre(id_at(kStart, 2), id_at(kStart, 1)));
}

// A log without its database would be taken for the new one's.
TEST_F(SqliteRestore, TheLogOfAStoreThatDiedGoesAsideWithIt) {
    lose_store();
    {
        const auto store = open();
        insert(*store, {ready_job(1), ready_job(2), ready_job(3)});
        std::filesystem::copy_file(options.path, folder.file("dead.db"));
        std::filesystem::copy_file(options.path + "-wal", folder.file("dead.db-wal"));
    }
    std::filesystem::rename(folder.file("dead.db"), options.path);
    std::filesystem::rename(folder.file("dead.db-wal"), options.path + "-wal");
    const auto restored = restore(true);
    ASSERT_TRUE(restored.has_value()) << restored.error().message();
    EXPECT_FALSE(std::filesystem::exists(options.path + "-wal"));
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 1)));
    EXPECT_EQ(ids_at(restored->kept_aside).size(), 3U);
}

TEST_F(SqliteRestore, ADamagedStoreIsReplacedToo) {
    std::ofstream(options.path, std::ios::binary) << std::string(5000, 'x');
    std::ofstream(options.path + "-wal") << "x";
    ASSERT_TRUE(restore(true).has_value());
    EXPECT_FALSE(std::filesystem::exists(options.path + "-wal"));
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 1)));
}

TEST_F(SqliteRestore, AStoreInUseIsRefused) {
    const auto store = open();
    const auto refused = restore(true);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::busy);
    insert(*store, {ready_job(3)});
    EXPECT_EQ(ids_in(*store).size(), 3U);
}

TEST_F(SqliteRestore, WhatIsNoBackupIsRefusedInWords) {
    const std::string good = content_of_backup();
    lose_store();
    EXPECT_THAT(refusal_of(std::string(5000, 'x')).message(), HasSubstr("no SQLite database"));
    EXPECT_THAT(refusal_of("").message(), HasSubstr("is empty"));
    EXPECT_EQ(refusal_of(good.substr(0, good.size() / 2)).code(), ErrorCode::corrupt);
    std::string damaged = good;
    damaged.replace(good.size() / 2, 8192, 8192, '\x5A');
    EXPECT_EQ(refusal_of(damaged).code(), ErrorCode::corrupt);
    std::filesystem::remove(backup);
    EXPECT_EQ(restore(false).error().code(), ErrorCode::not_found);
    std::filesystem::create_directory(backup);
    EXPECT_THAT(restore(false).error().message(), HasSubstr("not a file"));
    EXPECT_THAT(files(), ElementsAre("backup.db")) << "not even a lock file";
}

TEST_F(SqliteRestore, ABackupIsWholeToTheByte) {
    const std::string good = content_of_backup();
    lose_store();
    EXPECT_EQ(refusal_of(good.substr(0, good.size() - 1)).code(), ErrorCode::corrupt);
    EXPECT_EQ(refusal_of(good + std::string(7000, 'x')).code(), ErrorCode::corrupt);
}

TEST_F(SqliteRestore, WhatCouldNotBeServedIsRefused) {
    const std::string good = content_of_backup();
    lose_store();
    for (const auto& [damage, words] : std::vector<std::pair<std::string, std::string>>{
             {"drop table schedule", "it has no `schedule`"},
             {"drop index job_ready", "it has no `job_ready`"},
             {"drop index job_slot", "it has no `job_slot`"},
             {"delete from meta", "its `meta` has no row"},
             {"update job set data = x'ff'", "a row of `job` cannot be read"},
             {"insert into schedule (tenant, name, id, data) values ('a', 'b', x'00', x'ff')",
              "a row of `schedule` cannot be read"},
             {"delete from job_count", "the counts of jobs"}}) {
        std::ofstream(backup, std::ios::binary) << good;
        run_sql(backup, damage);
        const auto refused = restore(false);
        ASSERT_FALSE(refused.has_value()) << damage;
        EXPECT_EQ(refused.error().code(), ErrorCode::corrupt) << damage;
        EXPECT_THAT(refused.error().message(), HasSubstr(words));
    }
}

TEST_F(SqliteRestore, OtherDatabasesAndNewerSchemasAreRefused) {
    run_sql(backup, "pragma user_version = 99");
    EXPECT_THAT(restore(true).error().message(), HasSubstr("newer program"));
    std::filesystem::remove(backup);
    run_sql(backup, "create table customers (id integer)");
    EXPECT_THAT(restore(true).error().message(), HasSubstr("another program"));
    EXPECT_EQ(ids_in(*open()).size(), 2U);
}

TEST_F(SqliteRestore, AStoreThatIsNoBackupIsRefused) {
    const auto store = open();
    insert(*store, {ready_job(3)});
    const auto refused = sqlite::restore_store(
        {.file = options.path, .path = folder.file("new.db"), .wall_clock = kStart});
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message(), HasSubstr("semel backup FILE --store"));
}

TEST_F(SqliteRestore, TargetsThatCannotBeAreRefused) {
    const auto to = [this](const std::string& path) {
        return sqlite::restore_store(
                   {.file = backup, .path = path, .replaces = true, .wall_clock = kStart})
            .error();
    };
    EXPECT_THAT(to(folder.file("none/semel.db")).message(), HasSubstr("create it first"));
    EXPECT_THAT(to(folder.path()).message(), HasSubstr("not a file"));
    EXPECT_THAT(to(backup).message(), HasSubstr("is the backup itself"));
}

// Fencing tokens and ids grow with store time. Whatever the replaced store gave away, in a time
// that may have run ahead of the wall clock, is not given away again.
TEST_F(SqliteRestore, TimeGoesOnBehindTheStoreThatIsReplaced) {
    const Time ahead = kStart + std::chrono::hours(3);
    SqliteOptions late = options;
    late.clock = [ahead] { return ClockSample{ahead, ahead.time_since_epoch()}; };
    const std::int64_t last_token = take_one(*open(late));
    const auto restored = restore(true, kStart);
    ASSERT_TRUE(restored.has_value()) << restored.error().message();
    SqliteOptions back = options;
    back.clock = [] { return ClockSample{kStart, kStart.time_since_epoch()}; };
    const auto store = open(back);
    EXPECT_GT(store->now(), ahead);
    EXPECT_GT(take_one(*store), last_token);
}

TEST_F(SqliteRestore, AWorkerFromBeforeTheRestoreIsLateWhateverItsLease) {
    std::int64_t token = 0;
    {
        const auto store = open();
        token = take_one(*store, kLeaseMax);
        ASSERT_TRUE(std::filesystem::remove(backup));
        keep_copy(*store, backup);
    }
    ASSERT_TRUE(restore(true).has_value());
    const auto store = open();
    const JobCall call{.id = id_at(kStart, 1), .token = Token{token}};
    const auto [late, rescued] =
        StoreDriver(*store).run(SettleJobs{.tenant = "acme", .calls = {call}}, RescueExpired{});
    const auto& answer = std::get<SettleJobs::Outcome>(late).at(0);
    EXPECT_EQ(std::get<Problem>(answer).code, ProblemCode::stale_token);
    EXPECT_EQ(std::get<UpkeepOutcome>(rescued).count, 1);
    EXPECT_GT(take_one(*store), token) << "it is taken over at once";
}

TEST_F(SqliteRestore, TimeGoesOnBehindTheWallClockWhereTheStoreIsLost) {
    lose_store();
    const Time now = kStart + std::chrono::hours(24 * 400);
    ASSERT_TRUE(restore(false, now).has_value());
    SqliteOptions back = options;
    back.clock = [] { return ClockSample{kStart, kStart.time_since_epoch()}; };
    EXPECT_GT(open(back)->now(), now);
}

}  // namespace
}  // namespace semel::test
