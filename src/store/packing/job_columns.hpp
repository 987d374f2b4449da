// Columns that stores derive from a job, to search by them. Pure. Threads: any.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/actions/job.hpp"

namespace semel {

// The end of the lease or the timeout, whichever is earlier. nullopt unless the job is running.
[[nodiscard]] std::optional<Time> deadline_of(const Job& job);

// The bucket of a status in action lists. Blocked, pending and running jobs share a bucket, so a
// job changes its bucket only once.
[[nodiscard]] int bucket_of(Status status);
[[nodiscard]] std::vector<int> all_buckets();

// Returns the first invariant of core/actions/job.hpp that the job breaks, as a sentence. nullopt:
// none.
[[nodiscard]] std::optional<std::string_view> broken_rule(const Job& job);

}  // namespace semel
