// How the rows that PostgreSQL has in its own way are written in columns. What stands in `data` is
// packed by store/row_pack.hpp.
#pragma once

#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/load_spec.hpp"
#include "core/rows.hpp"
#include "store/postgres/rows.hpp"

namespace semel::postgres {

// Each `read_` reads the columns named before it, in order.
inline constexpr std::string_view kClaimColumns = "id, expires_at, data, settling, receipt";
[[nodiscard]] Claim read_claim(Rows& rows);

// A job's own row. While the job runs, it is as it was before it was taken.
inline constexpr std::string_view kRowColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.data";
[[nodiscard]] Job read_row(Rows& rows);

// How it runs, if it does. Who takes a job does not change the job's row: whoever locks that reads
// this by a later statement, or it is from before.
inline constexpr std::string_view kRunColumns = "r.settling, r.data";
inline constexpr std::string_view kRunOfJob =
    "left join lateral (select x.settling, x.data from semel.run x where x.id = j.id limit 1) "
    "r on true";
void read_run(Rows& rows, Job& job);

// Jobs `j` as they are, up to a `where`, for whoever reads all on one snapshot. A view has the
// payload, too, and no result.
[[nodiscard]] std::string select_jobs();
[[nodiscard]] Job read_job(Rows& rows);
[[nodiscard]] std::string select_views(std::string_view more_columns = "");
[[nodiscard]] ActionView read_view(Rows& rows);

// The status of a job, by what its row says.
[[nodiscard]] std::string status_sql(std::string_view id, std::string_view status_of_row);
// Whether the row `job` is one of a job that has this status.
[[nodiscard]] std::string has_status_sql(std::string_view job, Status status);

// Of the attempt that completed a job its row says all but who the worker was, and
// `job.completed_by` says that. So it has no row of its own.
[[nodiscard]] Attempt completing_attempt(const Job& job, std::string worker);

inline constexpr std::string_view kEdgeColumns = "blocked, position, blocker, done";
[[nodiscard]] Edge read_edge(Rows& rows);

// The last job `s` of the chain that begins with `f`; no row: it is `f`.
//
// Where one row leads to another, the statements say `lateral` and `limit`, which the planner does
// not take apart: it would read a whole index beside the few rows, having been told nothing about
// tables that were empty when they were last analysed.
inline constexpr std::string_view kLastStep =
    "left join lateral (select l.id, l.status from semel.job l where l.chain = f.id "
    "and l.chain_index > 0 order by l.chain_index desc limit 1) s on true";

// What the chains that jobs were given as blockers have come to, in order: a job, then a view.
[[nodiscard]] const std::string& blocker_views_sql();
// The same without their outputs.
[[nodiscard]] const std::string& shown_blockers_sql();
[[nodiscard]] BlockerView read_blocker_view(Rows& rows);

// With whether it is settling.
[[nodiscard]] const std::string& source_columns();
[[nodiscard]] Source read_source_row(Rows& rows);

inline constexpr std::string_view kOutboxColumns =
    "id, verb, tenant, subject, token, content, fence, effect_id";
[[nodiscard]] OutboxEntry read_outbox_row(Rows& rows);

}  // namespace semel::postgres
