// What can be said of a PostgreSQL store from outside, beside the nodes that use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/postgres/durability.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"

namespace semel::postgres {

struct StoreLook {
    std::string location;  // without its password
    SchemaVersions schema;
    std::optional<std::string> filled_from;  // the store that it is half filled from
    std::optional<Error> fault;              // why a node would not start; of a current schema
    Durability durability;
    std::vector<StoreWarning> warnings;
};

// Changes nothing. An error: it cannot be reached, or is no store of this program.
[[nodiscard]] Result<StoreLook> look_at_store(const std::string& url);

}  // namespace semel::postgres
