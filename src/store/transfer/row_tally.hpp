// RowTally and StoreTally: row counts and hashes of everything in a store, to compare two stores
// after a transfer. Two tables with the same tally have the same rows. The order in which the rows
// are added does not matter.
//
// Errors: none. Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/hash.hpp"
#include "store/transfer/row_page.hpp"

namespace semel {

struct RowTally {
    std::int64_t rows = 0;
    Hash256 sum;  // sum of the rows' hashes modulo 2^256

    void add(const Hash256& row);
    bool operator==(const RowTally&) const = default;
};

struct TableTally {
    std::string_view name;
    RowTally tally = {};

    bool operator==(const TableTally&) const = default;
};

// The tallies of all tables, built page by page.
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
        source,
        response
    };

    std::array<TableTally, 13> tables_ = {
        TableTally{"claims"},   TableTally{"jobs"},      TableTally{"results"},
        TableTally{"attempts"}, TableTally{"groups"},    TableTally{"schedules"},
        TableTally{"bulkRuns"}, TableTally{"apiTokens"}, TableTally{"decisions"},
        TableTally{"blockers"}, TableTally{"contents"},  TableTally{"sources"},
        TableTally{"responses"}};
};

}  // namespace semel
