// Migrations: from the schema a file has to the one this program knows, each in one transaction.
#pragma once

#include <string>
#include <vector>

#include "store/schema_versions.hpp"
#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// The newest that this program knows.
[[nodiscard]] std::int64_t newest_schema_version();

// The schema's version, 0 of an empty file. Refuses what `migrate` does.
[[nodiscard]] Result<std::int64_t> schema_version(Connection& connection);

// The names of the tables and indexes that a schema of this version has.
[[nodiscard]] Result<std::vector<std::string>> schema_objects(std::int64_t version);

// Refuses databases of other programs and schemas that are newer than this program.
[[nodiscard]] Result<SchemaVersions> migrate(Connection& connection);

}  // namespace semel::sqlite
