// How the rows that PostgreSQL has in its own way are written in columns. What stands in `data` is
// packed by store/row_pack.hpp.
#pragma once

#include <string_view>

#include "core/rows.hpp"
#include "store/postgres/rows.hpp"

namespace semel::postgres {

// Each `read_` reads the columns named before it, in order.
inline constexpr std::string_view kClaimColumns = "id, expires_at, data, receipt";
[[nodiscard]] Claim read_claim(Rows& rows);

inline constexpr std::string_view kJobColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.settling, j.data";
[[nodiscard]] Job read_job(Rows& rows);

inline constexpr std::string_view kOutboxColumns = "id, verb, tenant, subject, token, content";
[[nodiscard]] OutboxEntry read_outbox_row(Rows& rows);

}  // namespace semel::postgres
