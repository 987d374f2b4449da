// How rows other than jobs are written in columns. They are read by store/row_columns.hpp.
#pragma once

#include "core/rows.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// From the columns expires_at and data. Where there is a receipt, its body is still to be read.
[[nodiscard]] Claim read_claim(Cursor& cursor, const ClaimId& id);

inline constexpr std::string_view kEdgeColumns = "blocked, position, blocker, done";
[[nodiscard]] Edge read_edge(Cursor& cursor);
void bind_edge(Cursor& cursor, const Edge& edge);

void bind_result(Cursor& cursor, const JobResult& result);
// Behind the job's number.
void bind_attempt(Cursor& cursor, const Attempt& attempt);
void bind_api_token(Cursor& cursor, const ApiToken& token);

}  // namespace semel::sqlite
