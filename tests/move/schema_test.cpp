// Migrations by themselves: from which version to which, and which programs a schema works with.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "move/fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr std::int64_t kSqliteNewest = 9;
const std::int64_t kPostgresNewest =
    std::distance(fs::directory_iterator(SEMEL_MIGRATIONS), fs::directory_iterator());

std::string sql_of(const std::string& migration) {
    std::ifstream in(fs::path(SEMEL_MIGRATIONS) / migration);
    return {std::istreambuf_iterator<char>(in), {}};
}

// All that a migration may do while nodes of the version before run (docs/guides/postgres.md), to
// every table.
constexpr std::string_view kExpand = R"(
do $$
declare
    name regclass;
begin
    for name in select oid from pg_class
                where relnamespace = 'semel'::regnamespace and relkind in ('r', 'p') and not relispartition loop
        execute format('alter table %s add column next_null text', name);
        execute format('alter table %s add column next_default bigint not null default 7', name);
        execute format('create index on %s (next_default)', name);
    end loop;
end
$$;
create table semel.next_table (id bigint primary key);
create function semel.next_function() returns bigint language sql as 'select 7';
)";

class Schema : public TransferTest {
protected:
    static void expect(const Result<SchemaVersions>& versions, std::int64_t from, std::int64_t to) {
        ASSERT_TRUE(versions.has_value()) << versions.error().message();
        EXPECT_EQ(versions->from, from);
        EXPECT_EQ(versions->to, to);
    }

    static std::string make_database_of_version_3() {
        const std::string url = make_database();
        ask_postgres(
            url,
            "create schema semel; create table semel.migration (number integer primary key, "
            "applied_at timestamptz not null default clock_timestamp()); "
            "insert into semel.migration (number) values (1), (2), (3)");
        for (const char* migration : {"0001_actions.sql", "0002_workers.sql", "0003_outbox.sql"}) {
            ask_postgres(url, sql_of(migration));
        }
        return url;
    }
};

TEST_F(Schema, OfADatabaseIsMadeOnce) {
    const std::string url = make_database();
    expect(inspect_schema(url), 0, kPostgresNewest);
    EXPECT_EQ(ask_postgres(url, "select to_regnamespace('semel')"), "") << "looked at, no more";
    expect(migrate_schema(url), 0, kPostgresNewest);
    expect(migrate_schema(url), kPostgresNewest, kPostgresNewest);
    expect(inspect_schema(url), kPostgresNewest, kPostgresNewest);
}

TEST_F(Schema, OfAnEarlierVersionIsBroughtUpToDate) {
    const std::string url = make_database_of_version_3();
    expect(inspect_schema(url), 3, kPostgresNewest);
    expect(migrate_schema(url), 3, kPostgresNewest);
    EXPECT_TRUE(open_store(url).has_value());
}

TEST_F(Schema, OfATargetIsMadeTogetherWithTheMarkOfTheTransfer) {
    ASSERT_TRUE(StoreDriver(*open_file()).write(inserting({ready_job(1)})).has_value());
    const std::string url = make_database_of_version_3();
    ask_postgres(url,
                 "insert into semel.outbox (verb, tenant, subject, token) "
                 "values (0, 'acme', gen_random_uuid(), 0)");
    EXPECT_EQ(refusal(url).code(), ErrorCode::refused) << "it has data";
    expect(inspect_schema(url), 3, kPostgresNewest);  // both, or neither
}

TEST_F(Schema, OfTheNextVersionIsWorkedWithUnlessItSaysOtherwise) {
    const std::string url = make_database();
    expect(migrate_schema(url), 0, kPostgresNewest);
    const std::int64_t next = kPostgresNewest + 1;
    ask_postgres(url, fmt::format("insert into semel.migration (number) values ({})", next));
    expect(inspect_schema(url), next, next);
    EXPECT_TRUE(open_store(url).has_value()) << "nodes of two versions run side by side";
    ask_postgres(url, fmt::format("update semel.meta set works_from = {}", next));
    const auto opened = open_store(url);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::refused);
    EXPECT_THAT(opened.error().message(),
                HasSubstr(fmt::format("this one knows versions up to {}", kPostgresNewest)));
    EXPECT_EQ(migrate_schema(url).error().code(), ErrorCode::refused);
}

// It would delete what chains need, and write rows back without what it does not know.
TEST_F(Schema, WithChainsRefusesCommitsOfProgramsFromBeforeThem) {
    const std::string url = make_database();
    expect(migrate_schema(url), 0, kPostgresNewest);
    EXPECT_EQ(ask_postgres(url, "select works_from from semel.meta"), "15");
    EXPECT_EQ(ask_postgres(url,
                           "select count(*) from information_schema.columns where "
                           "table_schema = 'semel' and table_name = 'commit_mark' and "
                           "is_nullable = 'NO' and column_default is null"),
              "3");
}

// It cannot read claims with an effect, and would delete them without leaving what was sealed.
TEST_F(Schema, WithFencesRefusesCommitsOfProgramsFromBeforeThem) {
    const std::string url = make_database();
    expect(migrate_schema(url), 0, kPostgresNewest);
    EXPECT_EQ(ask_postgres(url,
                           "select pg_get_constraintdef(oid) from pg_constraint "
                           "where conname = 'commit_mark_known'"),
              "CHECK ((known >= 15)) NOT VALID");
}

TEST_F(Schema, OfTheNextVersionComesWhileANodeRunsAndAnotherStarts) {
    const std::string before = make_database();
    const std::string after = make_database();
    StoreWorld calm(open_database(before), 1);
    StoreWorld running(open_database(after), 1);
    go_on_alike(calm, running, 1);
    ask_postgres(after,
                 fmt::format("begin; {} insert into semel.migration (number) values ({}); commit",
                             kExpand, kPostgresNewest + 1));
    go_on_alike(calm, running, 2);
    StoreWorld same(open_database(before), 2);
    StoreWorld started(open_database(after), 2);
    go_on_alike(same, started, 3);
    go_on_alike(calm, running, 4);
}

TEST_F(Schema, OfAFileIsLookedAtAndMigrated) {
    EXPECT_EQ(inspect_schema(file).error().code(), ErrorCode::not_found);
    EXPECT_EQ(migrate_schema(file).error().code(), ErrorCode::not_found);
    EXPECT_FALSE(std::filesystem::exists(file));
    {
        const auto store = open_file();
        expect(inspect_schema(file), kSqliteNewest, kSqliteNewest);
        EXPECT_EQ(migrate_schema(file).error().code(), ErrorCode::busy);
    }
    expect(inspect_schema(file), kSqliteNewest, kSqliteNewest);
    expect(migrate_schema(file), kSqliteNewest, kSqliteNewest);
    std::filesystem::resize_file(file, 0);
    expect(migrate_schema(file), 0, kSqliteNewest);
    EXPECT_NE(open_file(), nullptr);
}

TEST_F(Schema, OfSomebodyElseIsRefused) {
    const std::string url = make_database();
    ask_postgres(url, "create schema semel");
    expect(inspect_schema(url), 0, kPostgresNewest);
    ask_postgres(url, "create table semel.job (x int)");
    for (const auto& versions : {inspect_schema(url), migrate_schema(url)}) {
        ASSERT_FALSE(versions.has_value());
        EXPECT_EQ(versions.error().code(), ErrorCode::corrupt);
        EXPECT_THAT(versions.error().message(), HasSubstr("the schema semel is not Semel's"));
    }
    EXPECT_EQ(ask_postgres(url,
                           "select count(*) from pg_class "
                           "where relnamespace = 'semel'::regnamespace"),
              "1")
        << "and left as it is";
}

TEST_F(Schema, OfWhatIsNoStoreIsRefused) {
    EXPECT_EQ(inspect_schema("redis://x").error().code(), ErrorCode::invalid);
    EXPECT_EQ(migrate_schema("file:x").error().code(), ErrorCode::invalid);
    EXPECT_EQ(migrate_schema(folder.path()).error().code(), ErrorCode::invalid);
}

}  // namespace
}  // namespace semel::test
