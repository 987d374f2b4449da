// Opens stores by their path or URL. No other file of src opens a concrete store to serve from it.
//
// Errors: `invalid` for a path or URL that cannot be one, with the reason; `not_found` for a
// missing file; otherwise those of the store.
// Threads: any. The functions block.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"
#include "store/transfer/transfer.hpp"

namespace semel {

// The choice if the file of a store does not exist.
enum class IfMissing { create, refuse };

// Opens the store: PostgreSQL for a URL postgres://…, the embedded store for a path. A path is
// never a URI, and any other URL is refused. `if_missing` is for files; a PostgreSQL database must
// exist. Opening migrates the schema.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url,
                                                        IfMissing if_missing = IfMissing::create);

// Opens a separate store for fences: a Redis server by its URL. Empty: the server on this machine.
[[nodiscard]] Result<std::unique_ptr<Store>> open_fence_store(const std::string& url);
// Checks whether open_fence_store() can take this URL. Does not connect.
[[nodiscard]] Result<void> check_fence_store_url(const std::string& url);

// Checks whether this can be the path of an embedded store. The file need not exist.
[[nodiscard]] Result<void> check_store_path(const std::string& path);

// Returns what opening the store would do to its schema. Changes nothing. The store can be in use.
[[nodiscard]] Result<SchemaVersions> inspect_schema(const std::string& url);
// Migrates the schema as opening would, and does nothing else. A file must exist.
[[nodiscard]] Result<SchemaVersions> migrate_schema(const std::string& url);

// Open the two ends of a transfer (store/transfer/transfer.hpp): from a file, which no process has
// open, to a PostgreSQL database.
[[nodiscard]] Result<std::unique_ptr<TransferSource>> open_transfer_source(
    const std::string& path, const PageLimits& limits = {});
[[nodiscard]] Result<std::unique_ptr<TransferTarget>> open_transfer_target(const std::string& url);

}  // namespace semel
