// Reads every row of a PostgreSQL store, page by page, for a transfer. Errors: the connection's, or
// `corrupt`. Threads: the connection's thread. Blocks.
#pragma once

#include "store/postgres/connection.hpp"
#include "store/transfer/row_page.hpp"

namespace semel::postgres {

// Returns at most `limit` rows of this kind after the key `after` (empty: from the first).
[[nodiscard]] Result<RowPage> read_page(Connection& connection, RowKind kind,
                                        const std::string& after, int limit);

}  // namespace semel::postgres
