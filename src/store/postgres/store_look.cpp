#include "store/postgres/store_look.hpp"

#include "store/postgres/first_connection.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/rehearsal.hpp"
#include "store/postgres/server_clock.hpp"
#include "store/postgres/vacuum_watch.hpp"

namespace semel::postgres {
namespace {

// Of a schema that is current.
void look_inside(Connection& connection, StoreLook& look) {
    auto source = unfinished_source(connection);
    if (!source) {
        look.fault = source.error();
        return;
    }
    look.filled_from = *std::move(source);
    if (look.filled_from) {
        return;
    }
    if (const auto works = rehearse(connection); !works) {
        look.fault = works.error();
    }
}

}  // namespace

Result<StoreLook> look_at_store(const std::string& url) {
    SEMEL_TRY(first, connect_first(url));
    Connection& connection = *first.connection;
    StoreLook look;
    look.location = first.url.shown;
    SEMEL_TRY(now, read_server_time(connection));
    SEMEL_TRY(schema, schema_versions(connection));
    look.schema = schema;
    if (schema.is_current()) {
        look_inside(connection, look);
    }
    SEMEL_TRY(durability, read_durability(connection));
    look.durability = std::move(durability);
    VacuumWatch vacuum;
    vacuum.look(connection, now);
    look.warnings = vacuum.warnings();
    return look;
}

}  // namespace semel::postgres
