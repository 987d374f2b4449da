// How the other rows are written in columns. What stands in `data` is packed by row_pack.hpp.
#pragma once

#include <string>
#include <string_view>

#include "core/rows.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace semel::sqlite {

// From the columns expires_at and data. Where there is a receipt, its body is still to be read.
[[nodiscard]] Claim read_claim(Cursor& cursor, const ClaimId& id);

inline constexpr std::string_view kResultColumns = "output, error_message, error_code";
void bind_result(Cursor& cursor, const JobResult& result);
[[nodiscard]] JobResult read_result(Cursor& cursor);

inline constexpr std::string_view kAttemptColumns =
    "token, number, worker, started_at, ended_at, ending, error";
// With the job's key.
void bind_attempt(Cursor& cursor, const Attempt& attempt);
[[nodiscard]] Attempt read_attempt(Cursor& cursor, const JobId& job);

// From the columns sequence and data.
[[nodiscard]] LoggedDecision read_decision(Cursor& cursor, const std::string& tenant);

inline constexpr std::string_view kBulkRunColumns = "id, tenant, finished_at, data";
[[nodiscard]] BulkRun read_bulk_run(Cursor& cursor);

inline constexpr std::string_view kApiTokenColumns =
    "id, tenant, name, scopes, secret_hash, created_at, expires_at";
void bind_api_token(Cursor& cursor, const ApiToken& token);
[[nodiscard]] ApiToken read_api_token(Cursor& cursor);

}  // namespace semel::sqlite
