// Which migrations a store has, and which it has afterwards. 0: none, it is empty.
#pragma once

#include <cstdint>

namespace semel {

struct SchemaVersions {
    std::int64_t from = 0;
    std::int64_t to = 0;

    [[nodiscard]] bool is_current() const { return from == to; }
};

}  // namespace semel
