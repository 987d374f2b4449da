// Updates the schema of a store file, one transaction per migration. In an empty file, creates the
// schema.
//
// Errors: the connection's, or `refused` (see migrate()). Blocks.
// Threads: the connection's thread.
#pragma once

#include <string>
#include <vector>

#include "store/schema_versions.hpp"
#include "store/sqlite/connection.hpp"

namespace semel::sqlite {

// The newest migration that this program has.
[[nodiscard]] std::int64_t newest_schema_version();

// Returns the version of the schema, or 0 if the file is empty. Errors: those of migrate().
[[nodiscard]] Result<std::int64_t> schema_version(Connection& connection);

// The names of the tables and indexes in a schema of this version.
[[nodiscard]] Result<std::vector<std::string>> schema_objects(std::int64_t version);

// Applies the missing migrations. Error: `refused` if the file is another program's or its schema
// is newer than this program.
[[nodiscard]] Result<SchemaVersions> migrate(Connection& connection);

}  // namespace semel::sqlite
