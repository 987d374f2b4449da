// RowPage and RowPages: all rows of a store, page by page, for a transfer and for comparison.
//
// The pages of one kind have each row once, if the store does not change between them. Errors: the
// store's. Threads: one at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/batch/changes.hpp"

namespace semel {

// A claim includes its receipt and its content. A job includes its payload, result and attempts.
// The numbers are stored.
enum class RowKind {
    claims,
    jobs,
    groups,
    schedules,
    bulk_runs,
    api_tokens,
    decisions,
    edges,
    sources,
    responses
};
inline constexpr std::array kRowKinds = {
    RowKind::claims,    RowKind::jobs,       RowKind::groups,    RowKind::schedules,
    RowKind::bulk_runs, RowKind::api_tokens, RowKind::decisions, RowKind::edges,
    RowKind::sources,   RowKind::responses};

// An entry of the decision log with its position.
struct StoredDecision {
    DecisionRef ref;
    DecisionEntry entry;
};

struct RowPage {
    Changes rows;                           // only insertions
    std::vector<StoredDecision> decisions;  // separate: `rows` would give them new numbers
    std::int64_t count = 0;                 // rows of this kind; 0: this was the last page
    std::string last;                       // the next page begins after this key
};

// A page is large enough for one transaction, and small enough for memory.
struct PageLimits {
    int rows = 1000;
    std::size_t bytes = std::size_t{4} << 20;  // of payloads; the next row begins a new page
};

// Keys that are ids or hashes.
template <typename Id>
[[nodiscard]] std::string key_of(const Id& id) {
    return std::string(id.bytes.begin(), id.bytes.end());
}
[[nodiscard]] inline Uuid id_of_key(const std::string& key) {
    Uuid id;
    std::copy_n(key.begin(), std::min(key.size(), id.bytes.size()), id.bytes.begin());
    return id;
}

class RowPages {
public:
    virtual ~RowPages() = default;

    // Returns the rows after `after` in the order of their keys, from the first if it is empty.
    // Each store has its own format of keys.
    [[nodiscard]] virtual Result<RowPage> page(RowKind kind, const std::string& after) = 0;
};

}  // namespace semel
