// SchemaVersions: the number of a store's newest migration, before and after migrating. A plain
// value. inspect_schema() returns it without migrating, migrate_schema() when it has migrated.
#pragma once

#include <cstdint>

namespace semel {

struct SchemaVersions {
    std::int64_t from = 0;  // before; 0: the store has no schema
    // After; equal to `from` if no migration is missing, or if the schema is a newer program's.
    std::int64_t to = 0;

    [[nodiscard]] bool is_current() const { return from == to; }
};

}  // namespace semel
