// What a file must have beyond whole pages to be a store that can be served: its tables and
// indexes, and rows that can be read and agree with each other.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// `corrupt`, in words, with what is wrong first. Reads every row. REQUIRES: the file is a store of
// this schema version.
[[nodiscard]] Result<void> check_rows(Connection& connection, std::int64_t schema_version);

}  // namespace semel::sqlite
