// Migrations: from the schema a file has to the one this program knows, each in one transaction.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// Refuses databases of other programs and schemas that are newer than this program.
[[nodiscard]] Result<void> migrate(Connection& connection);

}  // namespace semel::sqlite
