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

inline constexpr std::string_view kJobColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.settling, j.data";
[[nodiscard]] Job read_job(Rows& rows);

// With its payload; without its result.
inline constexpr std::string_view kViewColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.settling, j.data, j.payload";
[[nodiscard]] ActionView read_view(Rows& rows);

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
