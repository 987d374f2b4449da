#include "store/postgres/queue_vacuum.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel::postgres {
namespace {

constexpr Millis kRenewalEvery = std::chrono::seconds(1);
constexpr Millis kPauseMax = std::chrono::minutes(1);
// If vacuum was held back for less than this time, it is tried, because it also shrinks the
// indexes. Otherwise the queues are rewritten.
constexpr Millis kHeldBackLong = std::chrono::seconds(5);
constexpr int kDeadMin = 2'000;          // a query steps over these in less than 1 ms
constexpr int kLivingMax = 10'000;       // copied within about 50 ms, while all others wait
constexpr int kDeadPerLiving = 4;        // a copy pays only with this ratio
constexpr int kLivingPerDead = 10;       // vacuum also reads the index entries of living rows
constexpr int kVacuumedMax = 1'000'000;  // takes some 0.1 s, in which no hint is received
constexpr int kVacuumShare = 20;         // vacuum takes 1/20 of the connection's time

// Uses the server's own counts, which are estimates and are lost in a crash.
constexpr const char* kToBeVacuumed =
    "select s.relname::text from pg_stat_user_tables s join pg_class c on c.oid = s.relid "
    "where s.schemaname = 'semel' and s.relname in ('ready', 'later', 'waiting', 'running', "
    "'run') and s.n_dead_tup >= $1 and s.n_dead_tup >= s.n_live_tup / $2 and s.n_live_tup <= $3 "
    "and pg_has_role(c.relowner, 'usage') order by s.relname";
constexpr const char* kFullOfDead =
    "select relname::text from pg_stat_user_tables where schemaname = 'semel' "
    "and relname in ('ready', 'later', 'waiting', 'running') and n_dead_tup >= $1 "
    "and n_live_tup <= $2 and n_dead_tup >= n_live_tup * $3 "
    "and has_table_privilege(relid, 'truncate') order by relname";

// All others wait while this waits for the table lock. With the lock, no transaction can change the
// queue, and each statement sees all rows that were committed before it. The commit does not wait
// for standbys while it has the lock: a later commit that they confirm includes this one. One node
// does it.
constexpr const char* kRenewalSettings =
    "select set_config('lock_timeout', '50ms', true), "
    "set_config('synchronous_commit', 'local', true)";
constexpr std::string_view kRenew =
    "do $$ declare living semel.{0}[]; begin "
    "perform from semel.meta for update skip locked; "
    "if not found then return; end if; "
    "lock table semel.{0} in access exclusive mode; "
    "living := array(select l from semel.{0} l limit {1} + 1); "
    "if cardinality(living) <= {1} then "
    "truncate semel.{0}; insert into semel.{0} select * from unnest(living); "
    "end if; end $$";

}  // namespace

void QueueVacuum::run(Connection& connection, Millis held_back, Time now) {
    if (now < next_poll_) {
        return;
    }
    next_poll_ = now + kRenewalEvery;
    if (held_back < kHeldBackLong) {
        vacuum(connection, now);
    } else {
        renew_all(connection, now);
    }
}

// Vacuums the queues with many dead rows. A long queue takes longer, because its whole index is
// read. The pause until the next vacuum is proportional to the time.
void QueueVacuum::vacuum(Connection& connection, Time now) {
    if (now < next_vacuum_) {
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    auto queues = connection.ask(
        kToBeVacuumed, Params().integer(kDeadMin).integer(kLivingPerDead).integer(kVacuumedMax));
    while (queues && queues->next_row()) {
        // Skips a table that is locked, for example by another node that vacuums it.
        (void)connection.ask(
            fmt::format("vacuum (skip_locked, index_cleanup on, truncate off) semel.{}",
                        queues->read_string()));
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    next_vacuum_ = now + kVacuumShare * std::chrono::duration_cast<Millis>(took);
}

void QueueVacuum::renew_all(Connection& connection, Time now) {
    auto queues = connection.ask(
        kFullOfDead, Params().integer(kDeadMin).integer(kLivingMax).integer(kDeadPerLiving));
    while (queues && queues->next_row()) {
        const std::string queue = queues->read_string();
        const auto trouble = troubles_.find(queue);
        if (trouble == troubles_.end() || trouble->second.until <= now) {
            renew(connection, queue, now);
        }
    }
}

void QueueVacuum::renew(Connection& connection, const std::string& queue, Time now) {
    connection.queue("begin isolation level read committed");
    connection.queue(kRenewalSettings);
    connection.queue(fmt::format(kRenew, queue, kLivingMax));
    connection.queue("commit");
    if (connection.flush()) {
        troubles_.erase(queue);
        return;
    }
    // The table is locked, as by a dump while it runs.
    Trouble& trouble = troubles_[queue];
    trouble.pause = std::min(std::max(2 * trouble.pause, 2 * kRenewalEvery), kPauseMax);
    trouble.until = now + trouble.pause;
    if (connection.in_transaction()) {
        (void)connection.ask("rollback");
    }
}

}  // namespace semel::postgres
