// How rows other than jobs are written in columns. They are read by store/row_columns.hpp.
#pragma once

#include "core/rows.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// Of `claim_place`: the first eight bytes of an id, in the order of the bytes as far as a signed
// number can be.
[[nodiscard]] std::int64_t prefix_of(const ClaimId& id);

// From the columns expires_at and data. Where there is a receipt, its body is still to be read.
[[nodiscard]] Claim read_claim(Cursor& cursor, const ClaimId& id);

inline constexpr std::string_view kEdgeColumns = "blocked, position, blocker, done";
[[nodiscard]] Edge read_edge(Cursor& cursor);
void bind_edge(Cursor& cursor, const Edge& edge);

void bind_source(Cursor& cursor, const Source& source);
void bind_result(Cursor& cursor, const JobResult& result);
// Behind the job's number.
void bind_attempt(Cursor& cursor, const Attempt& attempt);
void bind_api_token(Cursor& cursor, const ApiToken& token);

}  // namespace semel::sqlite
