// Which files can be opened, by whom, and what is said when they cannot.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/file_system.hpp"
#include "support/faulty_vfs.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

class SqliteOpen : public SqliteTest {
protected:
    void write_file(const std::string& bytes) const {
        std::ofstream(options.path, std::ios::binary) << bytes;
    }
    void run_sql(const std::string& sql) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(options.path.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }
    // The first page of a table or index becomes zeros.
    void damage_root(const std::string& name) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(options.path.c_str(), &database), SQLITE_OK);
        std::int64_t page = 0;
        const auto read = [](void* out, int, char** columns, char**) {
            *static_cast<std::int64_t*>(out) = std::atoll(columns[0]);
            return 0;
        };
        const std::string sql = "select rootpage from sqlite_schema where name = '" + name + "'";
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), read, &page, nullptr), SQLITE_OK);
        sqlite3_close(database);
        ASSERT_GT(page, 0) << name;
        constexpr std::int64_t kPageBytes = 4096;
        std::fstream file(options.path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp((page - 1) * kPageBytes);
        file << std::string(kPageBytes, '\0');
    }
    [[nodiscard]] static int mode_of(const std::string& path) {
        struct stat status {};
        EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
        return static_cast<int>(status.st_mode & 0777U);
    }
};

TEST_F(SqliteOpen, FilesAreForTheirOwnerAlone) {
    const mode_t before = umask(0);
    const auto store = open();
    insert(*store, {ready_job(1)});
    umask(before);
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
        EXPECT_EQ(mode_of(options.path + suffix), 0600) << suffix;
    }
}

TEST_F(SqliteOpen, AStoreInMemoryIsRefused) {
    for (const char* path : {"", ":memory:"}) {
        const Error error = refusal(options_for(path));
        EXPECT_EQ(error.code(), ErrorCode::invalid);
        EXPECT_THAT(error.message(), HasSubstr("needs a file"));
    }
}

TEST_F(SqliteOpen, AFileOnADiskLasts) {
    if (!sqlite::memory_file_system_of(folder.path()).empty()) {
        GTEST_SKIP() << "the folder for temporary files is in memory";
    }
    EXPECT_TRUE(open()->info().is_durable);
    EXPECT_THAT(open()->info().durability, HasSubstr("survives a crash and a power cut"));
}

TEST_F(SqliteOpen, AFileInMemoryDoesNotLastAndSaysSo) {
    std::string shared = "/dev/shm/semel-test-XXXXXX";
    if (mkdtemp(shared.data()) == nullptr || sqlite::memory_file_system_of(shared) != "tmpfs") {
        GTEST_SKIP() << "there is no tmpfs at /dev/shm";
    }
    const StoreInfo info = open(options_for(shared + "/semel.db"))->info();
    std::filesystem::remove_all(shared);
    EXPECT_FALSE(info.is_durable);
    EXPECT_THAT(info.durability, HasSubstr("the file is in memory (tmpfs)"));
}

TEST_F(SqliteOpen, AMissingFolderIsNamed) {
    const Error error = refusal(options_for(folder.file("none/semel.db")));
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_THAT(error.message(), HasSubstr(folder.file("none")));
}

TEST_F(SqliteOpen, AFolderIsNoDatabase) {
    const Error error = refusal(options_for(folder.path()));
    EXPECT_EQ(error.code(), ErrorCode::invalid);
    EXPECT_THAT(error.message(), HasSubstr("not a file"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() + ".lock"));
}

TEST_F(SqliteOpen, AnotherFileIsNotOverwritten) {
    const std::string notes(5000, 'x');
    write_file(notes);
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::corrupt);
    EXPECT_THAT(error.message(), HasSubstr(options.path));
    EXPECT_THAT(error.message(), HasSubstr("no SQLite database"));
    std::ifstream file(options.path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), notes);
}

TEST_F(SqliteOpen, ADatabaseOfAnotherProgramIsRefused) {
    run_sql("create table customers (id integer)");
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("another program"));
}

TEST_F(SqliteOpen, ANewerSchemaIsRefused) {
    open().reset();
    run_sql("pragma user_version = 99");
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.message(), HasSubstr("version 99"));
    EXPECT_THAT(error.message(), HasSubstr("newer program"));
}

TEST_F(SqliteOpen, ADamagedDatabaseIsRefused) {
    {
        const auto store = open();
        insert(*store, {ready_job(1)});
    }
    std::fstream file(options.path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100);  // behind the header: the root of the schema
    file << std::string(2000, '\x5A');
    file.close();
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::corrupt);
    EXPECT_THAT(error.message(), HasSubstr("damaged"));
}

// Tables and indexes of which nothing is read before somebody asks for a row.
TEST_F(SqliteOpen, ATableOrIndexThatCannotBeReadIsFoundAtTheStart) {
    for (const char* name : {"schedule", "job", "job_ready", "job_slot", "job_count", "edge"}) {
        { const auto store = open(); }
        damage_root(name);
        const Error error = refusal(options);
        EXPECT_EQ(error.code(), ErrorCode::corrupt) << name;
        EXPECT_THAT(error.message(), HasSubstr("`" + std::string(name) + "` cannot be read"));
        EXPECT_THAT(error.message(), HasSubstr("semel doctor"));
        std::filesystem::remove(options.path);
    }
}

// What else is wrong nobody knows: it is for a person to look.
TEST_F(SqliteOpen, NothingIsServedFromAFileThatWasFoundDamaged) {
    const auto store = open();
    insert(*store, {ready_job(1)});
    run_sql("pragma wal_checkpoint(truncate)");
    damage_root("schedule");
    damage_root("schedule_listed");
    StoreDriver driver(*store);
    EXPECT_EQ(driver.list_actions("acme").size(), 1U);
    using Views = std::vector<ScheduleView>;
    const auto found = driver.read<Views>([](Reads& reads, Done<Views> done) {
        reads.list_schedules("acme", std::nullopt, 10, std::move(done));
    });
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().code(), ErrorCode::corrupt);
    using Decisions = std::vector<LoggedDecision>;
    const auto read = driver.read<Decisions>([](Reads& reads, Done<Decisions> done) {
        reads.list_decisions("acme", std::nullopt, 10, std::move(done));
    });
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().message(), found.error().message());
    const auto written = driver.write(inserting({ready_job(2)}));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code(), ErrorCode::corrupt);
}

TEST_F(SqliteOpen, AFolderWithoutSharedMemoryIsRefused) {
    FaultyVfs disk("no_memory");
    disk.has_shared_memory = false;
    options.vfs = disk.name();
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.message(), HasSubstr("`delete` to `pragma journal_mode = wal`"));
}

TEST_F(SqliteOpen, AnEmptyFileBecomesADatabase) {
    write_file("");
    const auto store = open();
    insert(*store, {ready_job(1)});
    EXPECT_EQ(ids_in(*store).size(), 1U);
}

TEST_F(SqliteOpen, ASecondOpenIsRefusedAndSaysWhoHasIt) {
    auto store = open();
    const Error error = refusal(options);
    EXPECT_EQ(error.code(), ErrorCode::busy);
    EXPECT_THAT(error.message(), HasSubstr("in use by process " + std::to_string(getpid())));
    EXPECT_THAT(error.message(), HasSubstr(options.path + ".lock"));
    store.reset();
    EXPECT_NE(open(), nullptr);
}

// Two logs beside one database would lose each other's commits.
TEST_F(SqliteOpen, ASecondNameOfTheSameFileIsRefusedToo) {
    const auto store = open();
    ASSERT_EQ(link(options.path.c_str(), folder.file("hard.db").c_str()), 0);
    ASSERT_EQ(symlink(options.path.c_str(), folder.file("soft.db").c_str()), 0);
    for (const char* name : {"hard.db", "soft.db"}) {
        SqliteOptions other = options;
        other.path = folder.file(name);
        EXPECT_EQ(refusal(other).code(), ErrorCode::busy) << name;
    }
}

TEST_F(SqliteOpen, AFileThatMayNotBeWrittenIsRefused) {
    write_file("");
    ASSERT_EQ(chmod(options.path.c_str(), 0400), 0);
    ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
    const pid_t child = fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65534;  // to root, no file is read-only
        if (geteuid() == 0 && setuid(kNobody) != 0) {
            _exit(2);
        }
        const auto store = open_sqlite_store(options);
        const bool refused = !store && store.error().code() == ErrorCode::refused &&
                             store.error().message().find(options.path) != std::string::npos;
        _exit(refused ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace semel::test
