// Reads and writes the columns of rows other than jobs. Columns that every store has are read by
// store/packing/row_columns.hpp.
//
// A `bind_` function binds the columns of its table in order, and its argument must outlive the
// cursor. Errors: a `read_` function reports damage to the cursor's connection. Threads: the
// connection's thread.
#pragma once

#include "core/batch/rows.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

// The column `prefix` of `claim_place`: the first eight bytes of an id, as a signed number in the
// order of the bytes.
[[nodiscard]] std::int64_t prefix_of(const ClaimId& id);

// Reads the columns expires_at and data. A receipt comes without its body, which has its own table.
[[nodiscard]] Claim read_claim(Cursor& cursor, const ClaimId& id);

inline constexpr std::string_view kEdgeColumns = "blocked, position, blocker, done";
[[nodiscard]] Edge read_edge(Cursor& cursor);
void bind_edge(Cursor& cursor, const Edge& edge);

void bind_source(Cursor& cursor, const Source& source);
void bind_result(Cursor& cursor, const JobResult& result);
// Binds the columns after the job's number.
void bind_attempt(Cursor& cursor, const Attempt& attempt);
void bind_api_token(Cursor& cursor, const ApiToken& token);

}  // namespace semel::sqlite
