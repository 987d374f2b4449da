// inspect_store: inspects a PostgreSQL store from outside, while its nodes can run. For `semel
// doctor` and similar commands. Threads: any. Blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/postgres/durability.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"

namespace semel::postgres {

// The result of an inspection.
struct StoreInspection {
    std::string location;  // without its password
    SchemaVersions schema;
    std::optional<std::string> filled_from;  // the source of an unfinished transfer into it
    std::optional<Error> fault;  // why a node would not start; only for a current schema
    Durability durability;
    std::vector<StoreWarning> warnings;
};

// Connects and inspects the store, changing nothing. Blocks the calling thread. Errors: the
// database cannot be reached, has the wrong encoding or is no store of this program.
[[nodiscard]] Result<StoreInspection> inspect_store(const std::string& url);

}  // namespace semel::postgres
