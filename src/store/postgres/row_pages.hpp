// Every row of a PostgreSQL store, page by page.
#pragma once

#include "store/postgres/connection.hpp"
#include "store/row_page.hpp"

namespace semel::postgres {

[[nodiscard]] Result<RowPage> read_page(Connection& connection, RowKind kind,
                                        const std::string& after, int limit);

}  // namespace semel::postgres
