// Files that are removed or replaced while a store uses them: nothing is acknowledged that will be
// gone with the process.
#include <fstream>

#include <gmock/gmock.h>

#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SqliteFiles : public SqliteTest {
public:
    std::unique_ptr<Store> store = open();

    void SetUp() override { insert(*store, {ready_job(1)}); }

    Result<void> try_insert(int number) {
        return StoreDriver(*store).write(inserting({ready_job(number)}));
    }
    void expect_refused(const std::string& path) {
        const auto refused = try_insert(2);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code(), ErrorCode::unavailable);
        EXPECT_THAT(refused.error().message(),
                    HasSubstr("the file " + path + " was removed or replaced while running"));
    }
    [[nodiscard]] bool can_read() {
        using Counts = std::vector<JobCount>;
        return StoreDriver(*store)
            .read<Counts>(
                [](Reads& reads, Done<Counts> done) { reads.count_jobs(std::move(done)); })
            .has_value();
    }
};

TEST_F(SqliteFiles, ARemovedDatabaseIsNoticed) {
    std::filesystem::remove(options.path);
    expect_refused(options.path);
    EXPECT_FALSE(can_read());
}

TEST_F(SqliteFiles, AReplacedDatabaseIsNoticed) {
    std::filesystem::copy_file(options.path, folder.file("copy.db"));
    std::filesystem::rename(folder.file("copy.db"), options.path);
    expect_refused(options.path);
    EXPECT_FALSE(can_read());
}

TEST_F(SqliteFiles, ARemovedLogIsNoticedAndWhatItHeldIsSavedByTheEnd) {
    std::filesystem::remove(options.path + "-wal");
    expect_refused(options.path + "-wal");
    store.reset();
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 1)));
}

TEST_F(SqliteFiles, AReplacedIndexOfTheLogIsNoticed) {
    std::filesystem::remove(options.path + "-shm");
    std::ofstream(options.path + "-shm") << "other";
    expect_refused(options.path + "-shm");
}

TEST_F(SqliteFiles, ACommitToAFileWithoutANameIsNotAcknowledged) {
    StoreDriver driver(*store);
    ASSERT_TRUE(driver.load({}).has_value());
    std::filesystem::remove(options.path);
    const auto committed = driver.commit(inserting({ready_job(2)}));
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code(), ErrorCode::commit_unknown);
    EXPECT_THAT(committed.error().message(), HasSubstr("was removed or replaced"));
}

TEST_F(SqliteFiles, WorkResumesWhenTheFileIsPutBack) {
    std::filesystem::rename(options.path, folder.file("away.db"));
    expect_refused(options.path);
    std::filesystem::rename(folder.file("away.db"), options.path);
    EXPECT_TRUE(try_insert(2).has_value());
    store.reset();
    EXPECT_THAT(ids_in(*open()), ElementsAre(id_at(kStart, 2), id_at(kStart, 1)));
}

}  // namespace
}  // namespace semel::test
