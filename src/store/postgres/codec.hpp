// How rows are written in columns. What stands in `data` is packed by store/row_pack.hpp.
#pragma once

#include <string_view>

#include "core/rows.hpp"
#include "store/postgres/rows.hpp"
#include "store/store.hpp"

namespace semel::postgres {

// Each `read_` reads the columns named before it, in order.
inline constexpr std::string_view kClaimColumns = "id, expires_at, data, receipt";
[[nodiscard]] Claim read_claim(Rows& rows);

inline constexpr std::string_view kJobColumns =
    "j.id, j.tenant, j.type, j.status, j.place, j.urgency, j.scheduled_at, j.created_at, "
    "j.completed_at, j.lock_group, j.chain, j.settling, j.data";
[[nodiscard]] Job read_job(Rows& rows);

inline constexpr std::string_view kResultColumns = "output, error_message, error_code";
[[nodiscard]] JobResult read_result(Rows& rows);

inline constexpr std::string_view kAttemptColumns =
    "job, token, number, worker, started_at, ended_at, ending, error";
[[nodiscard]] Attempt read_attempt(Rows& rows);

inline constexpr std::string_view kDecisionColumns = "sequence, tenant, data";
[[nodiscard]] LoggedDecision read_decision(Rows& rows);

inline constexpr std::string_view kScheduleColumns = "tenant, name, id, data";
[[nodiscard]] Schedule read_schedule(Rows& rows);

inline constexpr std::string_view kOutboxColumns = "id, verb, tenant, subject, token, content";
[[nodiscard]] OutboxEntry read_outbox_row(Rows& rows);

inline constexpr std::string_view kBulkRunColumns = "id, tenant, finished_at, data";
[[nodiscard]] BulkRun read_bulk_run(Rows& rows);

inline constexpr std::string_view kApiTokenColumns =
    "id, tenant, name, scopes, secret_hash, created_at, expires_at";
[[nodiscard]] ApiToken read_api_token(Rows& rows);

}  // namespace semel::postgres
