// Helpers that the parts of Save share. Pure. Threads: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/batch/changes.hpp"
#include "store/postgres/params.hpp"

namespace semel::postgres {

// Returns the inserted rows in the order of their keys. The pointers refer to `changes`.
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

// Returns true if the claim has or had an effect. Only such claims have columns for effects.
inline bool is_fence(const Change<Claim>& change) {
    return (change.before && change.before->effect) || (change.after && change.after->effect);
}

// Returns true if the job has a row in semel.run. Its row in semel.job is then unchanged since it
// was ready.
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
