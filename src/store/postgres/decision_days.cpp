#include "store/postgres/decision_days.hpp"

#include <fmt/format.h>

#include "core/batch/rows.hpp"

namespace semel::postgres {
namespace {

constexpr int kDaysAhead = 3;  // tables exist for this time if no node runs
// All writers of a table wait behind a statement that waits for its lock.
constexpr std::string_view kBriefly = "set local lock_timeout = '50ms';";

void make_days(Connection& connection, std::int64_t today) {
    auto missing = connection.ask(
        "select d from generate_series($1, $2) d where to_regclass('semel.decision_' || d) is null",
        Params().integer(today).integer(today + kDaysAhead));
    while (missing && missing->next_row()) {
        const std::int64_t day = missing->read_integer();
        (void)connection.execute(
            fmt::format("{0} create table semel.decision_{1} (like semel.decision including all);"
                        "alter table semel.decision attach partition semel.decision_{1} "
                        "for values from ({1}) to ({2})",
                        kBriefly, day, day + 1));
    }
}

void drop_days(Connection& connection) {
    auto forgotten = connection.ask(
        "select substr(c.relname, 10)::bigint as day from pg_inherits i "
        "join pg_class c on c.oid = i.inhrelid "
        "where i.inhparent = 'semel.decision'::regclass and c.relname ~ '^decision_[0-9]+$' "
        "and substr(c.relname, 10)::bigint < (select decisions_from from semel.meta)");
    while (forgotten && forgotten->next_row()) {
        (void)connection.execute(fmt::format("{} drop table if exists semel.decision_{}", kBriefly,
                                             forgotten->read_integer()));
    }
    (void)connection.ask(
        "delete from semel.decision_rest where day < (select decisions_from from semel.meta)");
}

}  // namespace

void keep_decision_days(Connection& connection, Time now) {
    make_days(connection, day_of(now));
    drop_days(connection);
}

std::vector<StoreWarning> warnings_of_days(Connection& connection) {
    auto found = connection.ask(
        "select current_user::text from pg_class c where c.oid = to_regclass('semel.decision') "
        "and not (pg_has_role(c.relowner, 'usage') "
        "and has_schema_privilege(c.relnamespace, 'create'))");
    if (!found || !found->next_row()) {
        return {};
    }
    const std::string role = found->read_string();
    return {
        {"decision_days_not_made",
         fmt::format("the role {} does not own semel.decision, or may not create in the schema: "
                     "the decision log gets no tables for its days, and all of it lies in "
                     "semel.decision_rest",
                     role),
         fmt::format("make {0} the owner: alter schema semel owner to {0}, and every table in "
                     "it",
                     role)}};
}

}  // namespace semel::postgres
