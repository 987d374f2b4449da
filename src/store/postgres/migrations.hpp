// The schema `semel`, and how it comes to be.
#pragma once

#include <functional>

#include "store/postgres/connection.hpp"
#include "store/schema_versions.hpp"

namespace semel::postgres {

// That this program knows.
inline constexpr std::int64_t kNewestMigration = 13;

// What `migrate` would do. Changes nothing. A newer schema that this program works with is current;
// another one is refused. `corrupt`: there is a schema semel that somebody else made.
[[nodiscard]] Result<SchemaVersions> schema_versions(Connection& connection);

// Applies what is missing. Any number of nodes may do it at once. `also`: what belongs to the same
// transaction, where there is one.
[[nodiscard]] Result<SchemaVersions> migrate(
    Connection& connection,
    const std::function<Result<void>()>& also = [] { return Result<void>(); });

}  // namespace semel::postgres
