// What stores derive from a job, to search by it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/job.hpp"

namespace semel {

// The end of the lease or the time-out, whichever is earlier; absent unless it runs.
[[nodiscard]] std::optional<Time> deadline_of(const Job& job);

// Where a job stands in lists: blocked, pending and running ones share a shelf, so that a job's
// life moves it once.
[[nodiscard]] int shelf_of(Status status);
[[nodiscard]] std::vector<int> all_shelves();

// The invariant of core/job.hpp that a job breaks, if any.
[[nodiscard]] std::optional<std::string_view> broken_rule(const Job& job);

}  // namespace semel
