#include "store/postgres/commit_marks.hpp"

#include "store/postgres/migrations.hpp"

namespace semel::postgres {

// The server can still run that batch. An insert of the same mark waits for its end. An existing
// mark is written again: a server that crashed while it waited for its standbys has the commit
// after its recovery, but the standbys might lack it. They confirm this write, and with it all
// earlier ones.
Result<bool> find_commit(Connection& connection, const Uuid& mark, Time now) {
    SEMEL_TRY(found, connection.ask("insert into semel.commit_mark (id, at, known, of_batch) "
                                    "values ($1, $2, $3, false) "
                                    "on conflict (id) do update set at = excluded.at "
                                    "returning of_batch",
                                    Params().id(mark).time(now).integer(kNewestMigration)));
    found.next_row();
    return found.read_boolean();
}

}  // namespace semel::postgres
