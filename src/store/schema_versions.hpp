// The migration that a store has, and the one it will have after migrating. 0: the store is empty.
#pragma once

#include <cstdint>

namespace semel {

struct SchemaVersions {
    std::int64_t from = 0;
    std::int64_t to = 0;

    [[nodiscard]] bool is_current() const { return from == to; }
};

}  // namespace semel
