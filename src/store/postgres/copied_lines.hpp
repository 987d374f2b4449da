// A database that was copied row by row, as by a dump and its restore, may have come without the
// rows of its lines (line_renewal.hpp). Its jobs say where they stand.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Makes the lines of a copy anew, once. Of any other database it changes nothing.
[[nodiscard]] Result<void> mend_copied_lines(Connection& connection);

}  // namespace semel::postgres
