#include "store/postgres/line_renewal.hpp"

#include <fmt/format.h>

namespace semel::postgres {
namespace {

constexpr Millis kLookEvery = std::chrono::seconds(1);
// Vacuum itself, which also shortens the indexes, comes to what is younger.
constexpr Millis kHeldBackLong = std::chrono::seconds(5);
constexpr int kDeadMin = 2'000;  // a look steps over these in less than a millisecond
constexpr int kLivingMax = 10'000;

// By the server's own counts: they are estimates, and forgotten in a crash.
constexpr const char* kFullOfDead =
    "select relname::text from pg_stat_user_tables where schemaname = 'semel' "
    "and relname in ('ready', 'later', 'waiting', 'running') "
    "and n_dead_tup >= $1 and n_dead_tup >= 4 * n_live_tup order by relname";

// All others wait for as long as it waits for the table. From then on nobody can change the line,
// and each statement sees what was committed until it began, whatever the role's default is.
constexpr std::string_view kRenew =
    "set transaction isolation level read committed; set local lock_timeout = '50ms'; "
    "do $$ declare living semel.{0}[]; begin "
    "lock table semel.{0} in access exclusive mode; "
    "living := array(select l from semel.{0} l limit {1} + 1); "
    "if cardinality(living) <= {1} then "
    "truncate semel.{0}; insert into semel.{0} select * from unnest(living); "
    "end if; end $$";

}  // namespace

void LineRenewal::run(Connection& connection, Millis held_back, Time now) {
    if (held_back < kHeldBackLong || now < next_look_) {
        return;
    }
    next_look_ = now + kLookEvery;
    auto lines = connection.ask(kFullOfDead, Params().integer(kDeadMin));
    while (lines && lines->next_row()) {
        (void)connection.execute(fmt::format(kRenew, lines->read_string(), kLivingMax));
    }
}

}  // namespace semel::postgres
