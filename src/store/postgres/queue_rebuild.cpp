#include "store/postgres/queue_rebuild.hpp"

#include "store/packing/job_columns.hpp"
#include "store/postgres/codec.hpp"

namespace semel::postgres {
namespace {

constexpr const char* kIsCopy =
    "select made_at is distinct from semel.name_of_place() from semel.meta";

// The numbers are those of `place` (migrations/0001_actions.sql).
constexpr const char* kMakeQueues =
    "delete from semel.ready; delete from semel.later; "
    "delete from semel.waiting; delete from semel.running; "
    "insert into semel.later select scheduled_at, id from semel.job where place = 0; "
    "insert into semel.ready select tenant, type, urgency, scheduled_at, id "
    "from semel.job j where place = 1 and not exists (select from semel.run r "
    "where r.id = j.id); "
    "insert into semel.waiting select tenant, lock_group, scheduled_at, id "
    "from semel.job where place = 3; "
    "insert into semel.running select id, 0 from semel.run; "
    "update semel.meta set made_at = semel.name_of_place()";

Result<bool> is_copy(Connection& connection) {
    SEMEL_TRY(rows, connection.ask(kIsCopy));
    rows.next_row();
    return rows.read_boolean();
}

// Sets the ends of leases, which are in packed rows and not in a column.
Result<void> set_deadlines(Connection& connection) {
    SEMEL_TRY(jobs,
              connection.ask(select_jobs() + " where j.id in (select id from semel.running)"));
    Array id(Type::uuid);
    Array deadline(Type::int8);
    while (jobs.next_row()) {
        const Job job = read_job(jobs);
        if (const auto at = deadline_of(job)) {
            id.id(job.id);
            deadline.time(*at);
        }
    }
    if (jobs.is_damaged()) {
        return Error(ErrorCode::corrupt, "a row of semel.run cannot be read");
    }
    SEMEL_CHECK(
        connection.ask("update semel.running r set deadline = u.deadline "
                       "from unnest($1, $2) u (id, deadline) where r.id = u.id",
                       Params().array(id).array(deadline)));
    return {};
}

// Locks, so that nodes do this one after another. The first one rebuilds for all.
Result<void> make_queues(Connection& connection) {
    SEMEL_CHECK(connection.execute(
        "begin isolation level read committed; lock table semel.ready, semel.later, "
        "semel.waiting, semel.running in access exclusive mode"));
    SEMEL_TRY(is_still, is_copy(connection));
    if (is_still) {
        SEMEL_CHECK(connection.execute(kMakeQueues));
        SEMEL_CHECK(set_deadlines(connection));
    }
    return connection.execute("commit");
}

}  // namespace

Result<void> rebuild_queues(Connection& connection) {
    SEMEL_TRY(is_one, is_copy(connection));
    if (!is_one) {
        return {};
    }
    const auto made = make_queues(connection);
    if (!made && connection.in_transaction()) {
        SEMEL_CHECK(connection.execute("rollback"));
    }
    return made ? made
                : Result<void>(made.error().prefixed("the lines of a copied database cannot be "
                                                     "made anew"));
}

}  // namespace semel::postgres
