// Migrations: from the schema a file has to the one this program knows, each in one transaction.
#pragma once

#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// The newest that this program knows.
[[nodiscard]] std::int64_t newest_schema_version();

// The schema's version, 0 of an empty file. Refuses what `migrate` does.
[[nodiscard]] Result<std::int64_t> schema_version(Connection& connection);

// Refuses databases of other programs and schemas that are newer than this program.
[[nodiscard]] Result<void> migrate(Connection& connection);

}  // namespace semel::sqlite
