// The columns of PostgreSQL's rows, and their readers. The column `data` is packed by
// store/packing/row_pack.hpp. Columns that every store has are in store/packing/row_columns.hpp.
// Each `read_` function reads the columns named before it, in order.
//
// Errors: damage is reported by Rows::is_damaged(). Threads: that of the Rows.
#pragma once

#include <string>
#include <string_view>

#include "core/batch/load_spec.hpp"
#include "core/batch/rows.hpp"
#include "core/commands.hpp"
#include "store/postgres/rows.hpp"

namespace semel::postgres {

// Each `read_` function reads the columns named before it, in order. Damage is reported by
// Rows::is_damaged().
inline constexpr std::string_view kClaimColumns = "id, expires_at, data, settling, receipt";
[[nodiscard]] Claim read_claim(Rows& rows);

// A job's row. While the job runs, this row is unchanged since before the job was claimed.
inline constexpr std::string_view kRowColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.data";
[[nodiscard]] Job read_row(Rows& rows);

// The run of a job, if it is running. Claiming a job does not change the job's row. After locking
// that row, read the run in a later statement: an earlier one can be outdated.
inline constexpr std::string_view kRunningColumns = "r.settling, r.data";
inline constexpr std::string_view kRunningOfJob =
    "left join lateral (select x.settling, x.data from semel.run x where x.id = j.id limit 1) "
    "r on true";
void read_running(Rows& rows, Job& job);

// `select` of whole jobs `j`, without a `where`, for queries on one snapshot. A view includes the
// payload, but no result.
[[nodiscard]] std::string select_jobs();
[[nodiscard]] Job read_job(Rows& rows);
[[nodiscard]] std::string select_views(std::string_view more_columns = "");
[[nodiscard]] ActionView read_view(Rows& rows);

// SQL for the status of a job, from its row.
[[nodiscard]] std::string status_sql(std::string_view id, std::string_view status_of_row);
// SQL of a condition: the row `job` is a job with this status.
[[nodiscard]] std::string has_status_sql(std::string_view job, Status status);

// The attempt that completed a job. It has no row: its fields are in the job's row, except the
// worker, which is in `job.completed_by`.
[[nodiscard]] Attempt completing_attempt(const Job& job, std::string worker);

inline constexpr std::string_view kEdgeColumns = "blocked, position, blocker, done";
[[nodiscard]] Edge read_edge(Rows& rows);

// The last job `s` of the chain that begins with `f`. No row: `f` is the last.
//
// Statements use `lateral` and `limit` if one row leads to another. The planner does not reorder
// these. Without them it reads whole indexes, because its statistics can be from a time when the
// tables were empty.
inline constexpr std::string_view kLastStep =
    "left join lateral (select l.id, l.status from semel.job l where l.chain = f.id "
    "and l.chain_index > 0 order by l.chain_index desc limit 1) s on true";

// The outcomes of jobs' blockers, in order: a job, then a view.
[[nodiscard]] const std::string& blocker_views_sql();
// The same rows without outputs.
[[nodiscard]] const std::string& shown_blockers_sql();
[[nodiscard]] BlockerView read_blocker_view(Rows& rows);

// The columns of a source. Unlike kSourceColumns they have `settling`.
[[nodiscard]] const std::string& source_columns();
[[nodiscard]] Source read_source_row(Rows& rows);

inline constexpr std::string_view kOutboxColumns =
    "id, verb, tenant, subject, token, content, fence, effect_id";
[[nodiscard]] OutboxEntry read_outbox_row(Rows& rows);

}  // namespace semel::postgres
