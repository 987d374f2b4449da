// What the parts of a save share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/changes.hpp"
#include "store/postgres/params.hpp"

namespace semel::postgres {

// The rows that are inserted, in the order of their keys.
template <typename Row, typename Key>
std::vector<const Row*> insertions(const std::vector<Change<Row>>& changes, Key key) {
    std::vector<const Row*> rows;
    for (const auto& change : changes) {
        if (!change.before) rows.push_back(&*change.after);
    }
    std::sort(rows.begin(), rows.end(),
              [key](const Row* a, const Row* b) { return key(*a) < key(*b); });
    return rows;
}

// A claim that has an effect, or had: others pay for no column of these.
inline bool is_fence(const Change<Claim>& change) {
    return (change.before && change.before->effect) || (change.after && change.after->effect);
}

// Whose run stands in a row of its own. The job's row is then as it was before it was taken, and
// that was ready.
inline bool is_running(const Job& job) {
    return job.place == Place::running;
}
inline bool is_running(const std::optional<Job>& job) {
    return job && is_running(*job);
}

inline std::int64_t count_of(const Array& array) {
    return static_cast<std::int64_t>(array.size());
}

}  // namespace semel::postgres
