#include "store/postgres/migrations.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "postgres_migrations.hpp"
#include "store/postgres/uncertain_entries.hpp"

namespace semel::postgres {
namespace {

constexpr std::array<std::string_view, kNewestMigration> kMigrations = {
    migration::f_0001_actions_sql,
    migration::f_0002_workers_sql,
    migration::f_0003_outbox_sql,
    migration::f_0004_moving_sql,
    migration::f_0005_shared_time_sql,
    migration::f_0006_decision_days_sql,
    migration::f_0007_chains_sql,
    migration::f_0008_chain_functions_sql,
    migration::f_0009_zero_in_options_sql,
    migration::f_0010_fences_sql,
    migration::f_0011_counted_rows_sql,
    migration::f_0012_copies_sql,
    migration::f_0013_runs_sql,
    migration::f_0014_responses_sql,
    migration::f_0015_uncertain_claims_sql};
constexpr std::int64_t kNewest = kNewestMigration;
constexpr std::int64_t kListOfUncertain = 15;  // the migration that adds it

// Several nodes can create the schema at once. A node that loses the race tries again,
// kMigrationTriesMax times in all.
constexpr int kMigrationTriesMax = 5;
// An administrator can create the schema for a role that lacks this right. `if not exists` alone
// would fail without the right, also if the schema exists.
constexpr std::string_view kMigrationTable =
    "do $$ begin if to_regnamespace('semel') is null then "
    "create schema if not exists semel; end if; end $$;"
    "create table if not exists semel.migration ("
    "number integer primary key, applied_at timestamptz not null default clock_timestamp());";

Result<std::int64_t> number_from(Connection& connection, const std::string& sql) {
    SEMEL_TRY(rows, connection.ask(sql));
    if (!rows.next_row()) {
        return Error(ErrorCode::corrupt, "the schema semel is damaged: a row of it is missing");
    }
    return rows.read_integer();
}

Result<std::int64_t> applied_version(Connection& connection) {
    return number_from(connection, "select coalesce(max(number), 0) from semel.migration");
}

// Checks whether this program works with the schema of a newer program. Errors: `refused`.
Result<void> check_newer(Connection& connection, std::int64_t version) {
    SEMEL_TRY(works_from, number_from(connection, "select works_from from semel.meta"));
    if (works_from <= kNewest) {
        return {};
    }
    return Error(ErrorCode::refused,
                 fmt::format("the schema semel has version {}, which works with programs that know "
                             "version {} or later, and this one knows versions up to {}: use a "
                             "newer program",
                             version, works_from, kNewest));
}

// REQUIRES: the table semel.migration exists.
Result<SchemaVersions> versions_by_table(Connection& connection) {
    SEMEL_TRY(version, applied_version(connection));
    if (version > kNewest) {
        SEMEL_CHECK(check_newer(connection, version));
        return SchemaVersions{version, version};
    }
    return SchemaVersions{version, kNewest};
}

// Applies the missing migrations in one transaction. Other nodes wait for its table lock.
Result<SchemaVersions> apply_missing(Connection& connection,
                                     const std::function<Result<void>()>& also) {
    SEMEL_CHECK(connection.execute("begin"));
    SEMEL_CHECK(connection.execute(std::string(kMigrationTable)));
    SEMEL_CHECK(connection.execute("lock table semel.migration in exclusive mode"));
    SEMEL_TRY(versions, versions_by_table(connection));
    for (std::int64_t number = versions.from + 1; number <= versions.to; ++number) {
        const std::string_view sql = kMigrations.at(static_cast<std::size_t>(number - 1));
        if (auto applied = connection.execute(std::string(sql)); !applied) {
            return applied.error().prefixed(fmt::format("migration {}", number));
        }
        if (number == kListOfUncertain) {
            SEMEL_CHECK(make_uncertain_entries(connection));
        }
        SEMEL_CHECK(connection.execute(
            fmt::format("insert into semel.migration (number) values ({})", number)));
    }
    SEMEL_CHECK(also());
    SEMEL_CHECK(connection.execute("commit"));
    return versions;
}

}  // namespace

Result<SchemaVersions> schema_versions(Connection& connection) {
    // One statement has one snapshot. Another node can be creating the schema.
    SEMEL_TRY(found, connection.ask("select count(*) filter (where c.relname = 'migration'), "
                                    "coalesce(min(c.relname)::text, '') from pg_class c "
                                    "join pg_namespace n on n.oid = c.relnamespace "
                                    "where n.nspname = 'semel'"));
    found.next_row();
    if (found.read_integer() != 0) {
        return versions_by_table(connection);
    }
    // An administrator creates an empty schema for Semel.
    const std::string something = found.read_string();
    if (something.empty()) {
        return SchemaVersions{0, kNewest};
    }
    return Error(ErrorCode::corrupt,
                 fmt::format("the schema semel is not Semel's: it holds {}, and no record of "
                             "Semel's migrations. Use another database, or drop that schema",
                             something));
}

Result<SchemaVersions> migrate(Connection& connection, const std::function<Result<void>()>& also) {
    SEMEL_TRY(found, schema_versions(connection));
    for (int tries = 1; !found.is_current(); ++tries) {
        auto applied = apply_missing(connection, also);
        if (applied) {
            return applied;
        }
        const bool lacks_right = connection.last_state() == kNoRight;
        if (connection.in_transaction()) {
            SEMEL_CHECK(connection.execute("rollback"));
        }
        if (lacks_right) {
            return Error(
                ErrorCode::unavailable,
                "the schema semel cannot be made or changed: " + applied.error().message() +
                    ". Let an administrator run `create schema semel authorization "
                    "ROLE`, or grant the role `create` on the database");
        }
        if (tries == kMigrationTriesMax || applied.error().code() != ErrorCode::busy) {
            return applied;
        }
    }
    return found;
}

}  // namespace semel::postgres
