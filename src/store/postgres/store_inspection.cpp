#include "store/postgres/store_inspection.hpp"

#include <iterator>

#include <fmt/format.h>

#include "store/postgres/agreed_times.hpp"
#include "store/postgres/decision_days.hpp"
#include "store/postgres/first_connection.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/rehearsal.hpp"
#include "store/postgres/vacuum_watch.hpp"

namespace semel::postgres {
namespace {

// Connections of a node besides its writers: two readers, and one for hints and chores.
constexpr int kConnectionsBesides = 3;

void add(std::vector<StoreWarning>& all, std::vector<StoreWarning> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

// Superusers have no limit. -1 means no limit.
std::vector<StoreWarning> warnings_of_limits(Connection& connection, int committers) {
    const int needed = committers + kConnectionsBesides;
    auto found = connection.ask(
        "select what, name, most from (select 'role' as what, rolname::text as name, "
        "rolconnlimit::bigint as most from pg_roles where rolname = current_user and not rolsuper "
        "union all select 'database', datname::text, datconnlimit::bigint from pg_database, "
        "pg_roles where datname = current_database() and rolname = current_user and not rolsuper) "
        "limits where most between 0 and $1",
        Params().integer(needed - 1));
    std::vector<StoreWarning> warnings;
    while (found && found->next_row()) {
        const std::string what = found->read_string();
        const std::string name = found->read_string();
        warnings.push_back(
            {"connections",
             fmt::format("the {} {} may have {} connections at once, and a node needs {}", what,
                         name, found->read_integer(), needed),
             fmt::format("alter {} {} connection limit -1, or as many as the nodes need", what,
                         name)});
    }
    return warnings;
}

// Inspects a store with a current schema.
void inspect_inside(Connection& connection, StoreInspection& inspection) {
    auto source = unfinished_source(connection);
    if (!source) {
        inspection.fault = source.error();
        return;
    }
    inspection.filled_from = *std::move(source);
    if (inspection.filled_from) {
        return;
    }
    if (const auto works = rehearse(connection); !works) {
        inspection.fault = works.error();
    }
}

}  // namespace

Result<StoreInspection> inspect_store(const std::string& url) {
    SEMEL_TRY(first, connect_first(url));
    Connection& connection = *first.connection;
    StoreInspection inspection;
    inspection.location = first.url.shown;
    SEMEL_TRY(now, read_server_time(connection));
    SEMEL_TRY(schema, schema_versions(connection));
    inspection.schema = schema;
    if (schema.is_current()) {
        inspect_inside(connection, inspection);
    }
    SEMEL_TRY(durability, read_durability(connection));
    inspection.durability = std::move(durability);
    VacuumWatch vacuum;
    vacuum.inspect(connection, now);
    inspection.warnings = vacuum.warnings();
    add(inspection.warnings, warnings_of_days(connection));
    add(inspection.warnings, warnings_of_limits(connection, first.url.committers));
    return inspection;
}

}  // namespace semel::postgres
