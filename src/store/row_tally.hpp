// RowTally: how many rows a table has, and a hash over all that is in them, in whatever order they
// are read. Two stores with the same tallies hold the same.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/hash.hpp"
#include "store/row_page.hpp"

namespace semel {

struct RowTally {
    std::int64_t rows = 0;
    Hash256 sum;  // of the rows' hashes, as numbers modulo 2^256

    void add(const Hash256& row);
    bool operator==(const RowTally&) const = default;
};

struct TableTally {
    std::string_view name;
    RowTally tally = {};

    bool operator==(const TableTally&) const = default;
};

// Everything that a store holds.
class StoreTally {
public:
    void add(const RowPage& page);

    [[nodiscard]] const auto& tables() const { return tables_; }

private:
    enum Table {
        claim,
        job,
        result,
        attempt,
        group,
        schedule,
        bulk_run,
        api_token,
        decision,
        edge,
        content,
        source
    };

    std::array<TableTally, 12> tables_ = {
        TableTally{"claims"},   TableTally{"jobs"},      TableTally{"results"},
        TableTally{"attempts"}, TableTally{"groups"},    TableTally{"schedules"},
        TableTally{"bulkRuns"}, TableTally{"apiTokens"}, TableTally{"decisions"},
        TableTally{"blockers"}, TableTally{"contents"},  TableTally{"sources"}};
};

}  // namespace semel
