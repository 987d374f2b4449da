// The store for many nodes: a schema in one PostgreSQL database.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "store/store.hpp"
#include "store/store_clock.hpp"

namespace semel {

struct PostgresOptions {
    std::string url;
    // In place of the server's clock, for tests.
    std::optional<std::function<ClockSample()>> clock = {};
};

// Makes the schema where there is none.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options);

}  // namespace semel
