// The one place that opens concrete stores.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/move.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"

namespace semel {

// What to do where there is no store yet.
enum class IfMissing { create, refuse };

// A file path opens the embedded store; it is always a path, never a URI. A URL of a store that
// this build does not have is refused with words.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url,
                                                        IfMissing if_missing = IfMissing::create);

// Where fences are kept beside it: a Redis server by its URL; empty: one on this machine.
[[nodiscard]] Result<std::unique_ptr<Store>> open_fence_store(const std::string& url);
// The reason why that cannot be its URL.
[[nodiscard]] Result<void> check_fence_store_url(const std::string& url);

// Why this cannot be the path of an embedded store. It need not be there.
[[nodiscard]] Result<void> check_store_path(const std::string& path);

// What opening a store would do to its schema. Changes nothing, and works while others have it.
[[nodiscard]] Result<SchemaVersions> look_at_schema(const std::string& url);
// Does it, and no more. A file must be there.
[[nodiscard]] Result<SchemaVersions> migrate_schema(const std::string& url);

// The two ends of a move (store/move.hpp): from a file that nobody has open to a PostgreSQL
// database.
[[nodiscard]] Result<std::unique_ptr<MoveSource>> open_move_source(const std::string& path,
                                                                   const PageLimits& limits = {});
[[nodiscard]] Result<std::unique_ptr<MoveTarget>> open_move_target(const std::string& url);

}  // namespace semel
