// RowPage: some rows of one kind, as whoever walks over a whole store reads them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/changes.hpp"

namespace semel {

// A claim comes with its receipt and its content, a job with its payload, its result and its
// attempts. The numbers are stored.
enum class RowKind {
    claims,
    jobs,
    groups,
    schedules,
    bulk_runs,
    api_tokens,
    decisions,
    edges,
    sources
};
inline constexpr std::array kRowKinds = {
    RowKind::claims,    RowKind::jobs,      RowKind::groups,
    RowKind::schedules, RowKind::bulk_runs, RowKind::api_tokens,
    RowKind::decisions, RowKind::edges,     RowKind::sources};

// A line of the decision log, and where it stands there.
struct KeptDecision {
    DecisionRef ref;
    DecisionEntry entry;
};

struct RowPage {
    Changes rows;                         // insertions alone
    std::vector<KeptDecision> decisions;  // not in `rows`, which would number them anew
    std::int64_t count = 0;               // of rows of its kind; 0: the walk is over
    std::string last;                     // the next page begins behind this key
};

// Large enough to be worth a transaction, and small in memory.
struct PageLimits {
    int rows = 1000;
    std::size_t bytes = std::size_t{4} << 20;  // of payloads: no more rows behind that
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

    // The rows behind `after`, in the order of their keys; empty: from the first. What a key looks
    // like is the store's own affair.
    [[nodiscard]] virtual Result<RowPage> page(RowKind kind, const std::string& after) = 0;
};

}  // namespace semel
