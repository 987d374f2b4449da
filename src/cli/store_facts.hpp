// Describes a store's file for `semel backup`, `restore` and `doctor`. Pure.
#pragma once

#include "core/json/json_writer.hpp"
#include "store/sqlite/store_file.hpp"

namespace semel::cli {

// Appends the members `bytes`, `schemaVersion`, `asOf` and `jobs`, which counts by status.
void write_members(JsonWriter& out, const sqlite::StoreFileFacts& facts);

// Returns text like "12 MiB, 3 jobs (2 pending, 1 completed), as of 2030-01-31T08:00:00.000Z".
[[nodiscard]] std::string describe(const sqlite::StoreFileFacts& facts);

}  // namespace semel::cli
