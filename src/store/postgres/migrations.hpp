// Creates and updates the schema `semel`. Threads: the connection's thread. Blocks.
#pragma once

#include <functional>

#include "store/postgres/connection.hpp"
#include "store/schema_versions.hpp"

namespace semel::postgres {

// The newest migration that this program has.
inline constexpr std::int64_t kNewestMigration = 15;

// Returns the version of the schema and the version after migrate(). Changes nothing. A newer
// schema counts as current if this program works with it. Errors: `refused` if it does not,
// `corrupt` if the schema semel was not made by this program.
[[nodiscard]] Result<SchemaVersions> schema_versions(Connection& connection);

// Applies the missing migrations in one transaction. Nodes can call it at the same time: one node
// migrates, and the others wait and then find the schema. `also` runs in the same transaction.
// Errors: those of schema_versions() and `also`, or `unavailable` without the right to create the
// schema.
[[nodiscard]] Result<SchemaVersions> migrate(
    Connection& connection,
    const std::function<Result<void>()>& also = [] { return Result<void>(); });

}  // namespace semel::postgres
