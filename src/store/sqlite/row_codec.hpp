// How rows are written in columns: one list of columns, one reader and one writer per row, in the
// same order.
#pragma once

#include <string>
#include <string_view>

#include "core/rows.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

inline constexpr std::string_view kClaimColumns =
    "id, tenant, space, full_key, state, token, created_at, window_from, expires_at, owner, "
    "purged_as, fingerprint, receipt_status";
// All but the id.
void bind_claim(Cursor& cursor, const Claim& claim);
// Where there is a receipt, its body is still to be read.
[[nodiscard]] Claim read_claim(Cursor& cursor);

inline constexpr std::string_view kResultColumns = "output, error_message, error_code";
void bind_result(Cursor& cursor, const JobResult& result);
[[nodiscard]] JobResult read_result(Cursor& cursor);

inline constexpr std::string_view kAttemptColumns =
    "job, token, number, worker, started_at, ended_at, ending, error";
void bind_attempt(Cursor& cursor, const Attempt& attempt);
[[nodiscard]] Attempt read_attempt(Cursor& cursor);

inline constexpr std::string_view kDecisionColumns =
    "at, tenant, surface, type, claim, key, decision, rule, effect_id, token, replaced, count, "
    "source_type, source_id";
void bind_decision(Cursor& cursor, const DecisionEntry& entry);
[[nodiscard]] DecisionEntry read_decision(Cursor& cursor);

inline constexpr std::string_view kApiTokenColumns =
    "id, tenant, name, scopes, secret_hash, created_at, expires_at";
void bind_api_token(Cursor& cursor, const ApiToken& token);
[[nodiscard]] ApiToken read_api_token(Cursor& cursor);

}  // namespace semel::sqlite
