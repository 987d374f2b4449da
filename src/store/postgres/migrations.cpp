#include "store/postgres/migrations.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "postgres_migrations.hpp"

namespace semel::postgres {
namespace {

constexpr std::array<std::string_view, 5> kMigrations = {
    migration::f_0001_actions_sql, migration::f_0002_workers_sql, migration::f_0003_outbox_sql,
    migration::f_0004_shared_time_sql, migration::f_0005_decision_days_sql};

// Nodes that start together make the schema together: who comes second finds it there.
constexpr int kTriesMax = 5;
constexpr std::string_view kLedger =
    "create schema if not exists semel;"
    "create table if not exists semel.migration ("
    "number integer primary key, applied_at timestamptz not null default clock_timestamp());";

Result<std::int64_t> applied_version(Connection& connection) {
    SEMEL_TRY(rows, connection.ask("select coalesce(max(number), 0) from semel.migration"));
    rows.next_row();
    return rows.read_integer();
}

Result<bool> is_current(Connection& connection) {
    SEMEL_TRY(rows, connection.ask("select to_regclass('semel.migration') is not null"));
    rows.next_row();
    if (rows.view() != std::string_view("\1", 1)) {
        return false;
    }
    SEMEL_TRY(version, applied_version(connection));
    return version == static_cast<std::int64_t>(kMigrations.size());
}

// In one transaction, under a lock that keeps other nodes waiting.
Result<void> apply_missing(Connection& connection) {
    SEMEL_CHECK(connection.execute("begin"));
    SEMEL_CHECK(connection.execute(std::string(kLedger)));
    SEMEL_CHECK(connection.execute("lock table semel.migration in exclusive mode"));
    SEMEL_TRY(version, applied_version(connection));
    if (version > static_cast<std::int64_t>(kMigrations.size())) {
        return Error(ErrorCode::refused,
                     fmt::format("the schema semel has version {}, and this program knows versions "
                                 "up to {}: use the newer program that made it",
                                 version, kMigrations.size()));
    }
    for (auto number = static_cast<std::size_t>(version) + 1; number <= kMigrations.size();
         ++number) {
        auto applied = connection.execute(std::string(kMigrations[number - 1]));
        if (!applied) {
            return applied.error().prefixed(fmt::format("migration {}", number));
        }
        SEMEL_CHECK(connection.execute(
            fmt::format("insert into semel.migration (number) values ({})", number)));
    }
    return connection.execute("commit");
}

}  // namespace

Result<void> migrate(Connection& connection) {
    SEMEL_TRY(current, is_current(connection));
    for (int tries = 1; !current; ++tries) {
        auto applied = apply_missing(connection);
        if (applied) {
            return {};
        }
        if (connection.in_transaction()) {
            SEMEL_CHECK(connection.execute("rollback"));
        }
        if (tries == kTriesMax || applied.error().code() != ErrorCode::busy) {
            return applied;
        }
    }
    return {};
}

}  // namespace semel::postgres
