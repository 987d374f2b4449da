// Migrations by themselves: from which version to which, and which programs a schema works with.
#include "move/fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kPostgresNewest = 4;
constexpr std::int64_t kSqliteNewest = 3;

class Schema : public MoveTest {
protected:
    static void expect(const Result<SchemaVersions>& versions, std::int64_t from, std::int64_t to) {
        ASSERT_TRUE(versions.has_value()) << versions.error().message();
        EXPECT_EQ(versions->from, from);
        EXPECT_EQ(versions->to, to);
    }
};

TEST_F(Schema, OfADatabaseIsMadeOnce) {
    const std::string url = make_database();
    expect(look_at_schema(url), 0, kPostgresNewest);
    EXPECT_EQ(ask_postgres(url, "select to_regnamespace('semel')"), "") << "looked at, no more";
    expect(migrate_schema(url), 0, kPostgresNewest);
    expect(migrate_schema(url), kPostgresNewest, kPostgresNewest);
    expect(look_at_schema(url), kPostgresNewest, kPostgresNewest);
}

TEST_F(Schema, OfTheVersionBeforeIsBroughtUpToDate) {
    const std::string url = make_database();
    expect(migrate_schema(url), 0, kPostgresNewest);
    ask_postgres(url,
                 "delete from semel.migration where number = 4; drop table semel.moved_from; "
                 "drop function semel.refuse_while_moving; "
                 "alter table semel.meta drop column works_from");
    expect(look_at_schema(url), kPostgresNewest - 1, kPostgresNewest);
    expect(migrate_schema(url), kPostgresNewest - 1, kPostgresNewest);
    EXPECT_TRUE(open_store(url).has_value());
}

TEST_F(Schema, OfTheNextVersionIsWorkedWithUnlessItSaysOtherwise) {
    const std::string url = make_database();
    expect(migrate_schema(url), 0, kPostgresNewest);
    ask_postgres(url, "insert into semel.migration (number) values (5)");
    expect(look_at_schema(url), 5, 5);
    EXPECT_TRUE(open_store(url).has_value()) << "nodes of two versions run side by side";
    ask_postgres(url, "update semel.meta set works_from = 5");
    const auto opened = open_store(url);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::refused);
    EXPECT_THAT(opened.error().message(), HasSubstr("this one knows versions up to 4"));
    EXPECT_EQ(migrate_schema(url).error().code(), ErrorCode::refused);
}

TEST_F(Schema, OfAFileIsLookedAtAndMigrated) {
    EXPECT_EQ(look_at_schema(file).error().code(), ErrorCode::not_found);
    EXPECT_EQ(migrate_schema(file).error().code(), ErrorCode::not_found);
    EXPECT_FALSE(std::filesystem::exists(file));
    {
        const auto store = open_file();
        expect(look_at_schema(file), kSqliteNewest, kSqliteNewest);
        EXPECT_EQ(migrate_schema(file).error().code(), ErrorCode::busy);
    }
    expect(look_at_schema(file), kSqliteNewest, kSqliteNewest);
    expect(migrate_schema(file), kSqliteNewest, kSqliteNewest);
    std::filesystem::resize_file(file, 0);
    expect(migrate_schema(file), 0, kSqliteNewest);
    EXPECT_NE(open_file(), nullptr);
}

TEST_F(Schema, OfWhatIsNoStoreIsRefused) {
    EXPECT_EQ(look_at_schema("redis://x").error().code(), ErrorCode::invalid);
    EXPECT_EQ(migrate_schema("file:x").error().code(), ErrorCode::invalid);
    EXPECT_EQ(migrate_schema(folder.path()).error().code(), ErrorCode::invalid);
}

}  // namespace
}  // namespace semel::test
