// Who is served next: within a tenant by priority, scheduledAt and id over all types asked for;
// between tenants in turn.
#pragma once

#include <unordered_set>
#include <vector>

#include "store/row_source.hpp"

namespace semel {

// At most `query.limit` ready jobs in order of work, without those in `skip`. All queries of the
// batch want `wanted` jobs together: lines are read no further than that, since others do without
// what is read.
[[nodiscard]] std::vector<JobId> deal_ready(RowSource& rows, const ReadyQuery& query,
                                            const std::unordered_set<JobId>& skip,
                                            std::size_t wanted);

}  // namespace semel
