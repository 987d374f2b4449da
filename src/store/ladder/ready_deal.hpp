// deal_ready: chooses the jobs to run next. Within a tenant the order is priority, scheduledAt and
// id, over all requested types. Tenants take turns. Errors and threads: those of the RowSource.
#pragma once

#include <unordered_set>
#include <vector>

#include "store/ladder/row_source.hpp"

namespace semel {

// Returns at most `query.limit` ready jobs in that order, without the jobs in `skip`. `wanted`: how
// many jobs all queries of the batch want together. No queue is read further, because a read locks
// its jobs for other nodes.
[[nodiscard]] std::vector<JobId> deal_ready(RowSource& rows, const ReadyQuery& query,
                                            const std::unordered_set<JobId>& skip,
                                            std::size_t wanted);

}  // namespace semel
