// The store for several nodes: the schema `semel` in one PostgreSQL database. Threads: any. The
// functions block.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "store/clocks/store_clock.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"

namespace semel {

struct PostgresOptions {
    std::string url;
    // Replaces the server's clock in tests.
    std::optional<std::function<ClockSample()>> clock = {};
};

// Connects, creates or migrates the schema, and checks by a rehearsal that the role has all rights.
// Errors, among others:
// - `refused`: the encoding, the role's rights or an unfinished transfer prevents its use
// - `corrupt`: the schema is damaged
// - `unavailable`: the server cannot be reached
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options);

// inspect_postgres_schema() returns what opening the store would do to its schema, and changes
// nothing. migrate_postgres_schema() does it.
[[nodiscard]] Result<SchemaVersions> inspect_postgres_schema(const std::string& url);
[[nodiscard]] Result<SchemaVersions> migrate_postgres_schema(const std::string& url);

}  // namespace semel
