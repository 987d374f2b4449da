#include "store/sqlite/migrations.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "sqlite_migrations.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/uncertain_entries.hpp"

namespace semel::sqlite {
namespace {

// "SEML", in the header of the file, marks it as a database of Semel.
constexpr std::int64_t kApplicationId = 0x53454D4C;

constexpr std::array<std::string_view, 9> kMigrations = {
    migration::f_0001_actions_sql,         migration::f_0002_bulk_runs_sql,
    migration::f_0003_schedules_sql,       migration::f_0004_claim_segments_sql,
    migration::f_0005_chains_sql,          migration::f_0006_job_numbers_sql,
    migration::f_0007_fences_sql,          migration::f_0008_responses_sql,
    migration::f_0009_uncertain_claims_sql};

constexpr std::size_t kListOfUncertain = 9;  // the migration that adds it

Result<void> check_owner(Connection& connection) {
    SEMEL_TRY(application_id, connection.query_int("pragma application_id"));
    SEMEL_TRY(tables, connection.query_int("select count(*) from sqlite_schema"));
    if (application_id == kApplicationId || (application_id == 0 && tables == 0)) {
        return {};
    }
    return Error(ErrorCode::refused,
                 fmt::format("{} is a database of another program; choose another file for Semel",
                             connection.path()));
}

Result<void> apply(Connection& connection, std::size_t number) {
    SEMEL_CHECK(connection.execute("begin immediate"));
    const std::string sql = fmt::format("{}\npragma application_id = {}; pragma user_version = {};",
                                        kMigrations[number - 1], kApplicationId, number);
    auto done = connection.execute(sql);
    if (done && number == kListOfUncertain) {
        done = UncertainEntries::make_all(connection);
    }
    if (done) {
        SEMEL_CRASH_POINT(migration_applied);
        done = connection.execute("commit");
        SEMEL_CRASH_POINT(migration_committed);
    }
    if (!done && connection.in_transaction()) {
        const auto undone = connection.execute("rollback");
        return undone ? done : undone;
    }
    return done;
}

}  // namespace

std::int64_t newest_schema_version() {
    return std::int64_t{kMigrations.size()};
}

Result<std::int64_t> schema_version(Connection& connection) {
    SEMEL_CHECK(check_owner(connection));
    SEMEL_TRY(version, connection.query_int("pragma user_version"));
    if (version > newest_schema_version()) {
        return Error(ErrorCode::refused,
                     fmt::format("the schema of {} has version {}, and this program knows versions "
                                 "up to {}: use the newer program that wrote it",
                                 connection.path(), version, kMigrations.size()));
    }
    return version;
}

// Creates the schema in memory and reads its names from SQLite.
Result<std::vector<std::string>> schema_objects(std::int64_t version) {
    ConnectionOptions options;
    options.path = ":memory:";
    options.access = Access::fill;
    SEMEL_TRY(connection, Connection::open(options));
    for (std::size_t number = 1; number <= static_cast<std::size_t>(version); ++number) {
        SEMEL_CHECK(apply(*connection, number));
    }
    std::vector<std::string> names;
    Statement statement(*connection, "select name from sqlite_schema where sql is not null");
    Cursor cursor(statement);
    while (cursor.next_row()) {
        names.push_back(cursor.read_string());
    }
    SEMEL_CHECK(connection->outcome());
    return names;
}

Result<SchemaVersions> migrate(Connection& connection) {
    SEMEL_TRY(version, schema_version(connection));
    for (auto number = static_cast<std::size_t>(version) + 1; number <= kMigrations.size();
         ++number) {
        auto applied = apply(connection, number);
        if (!applied) {
            return applied.error().prefixed(fmt::format("migration {}", number));
        }
    }
    return SchemaVersions{version, newest_schema_version()};
}

}  // namespace semel::sqlite
