// The store for many nodes: a schema in one PostgreSQL database.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "store/schema_versions.hpp"
#include "store/store.hpp"
#include "store/store_clock.hpp"

namespace semel {

struct PostgresOptions {
    std::string url;
    // In place of the server's clock, for tests.
    std::optional<std::function<ClockSample()>> clock = {};
};

// Makes the schema where there is none. `refused`: it is half filled from another store.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options);

// What opening the store would do to its schema; or does it.
[[nodiscard]] Result<SchemaVersions> look_at_postgres_schema(const std::string& url);
[[nodiscard]] Result<SchemaVersions> migrate_postgres_schema(const std::string& url);

}  // namespace semel
