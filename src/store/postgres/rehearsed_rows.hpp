// RehearsedRows: one row of every kind, under a tenant that no caller can have. A rehearsal writes
// these rows and rolls them back. Pure. Threads: any.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/batch/changes.hpp"

namespace semel::postgres {

struct RehearsedRows {
    std::string tenant;
    // One job in each of the four queues.
    Job ready;
    Job later;
    Job running;
    Job waiting;
    // A chain of two jobs. The second waits for the ready action.
    Job first;
    Job blocked;
    Edge edge;
    Claim claim;
    // An owned fence, for a version of its source.
    Claim fence;
    Claim doubtful;  // an uncertain fence
    Source source;
    LockGroup group;
    Schedule schedule;
    BulkRun bulk_run;
    ApiToken api_token;
    Uuid outbox_result;
};

// Makes the rows. `new_id` returns a new id at each call.
[[nodiscard]] RehearsedRows make_rehearsed_rows(const std::function<Uuid()>& new_id, Time now);

// Changes that a batch can make to these rows, to be saved in this order.
[[nodiscard]] Changes inserting(const RehearsedRows& rows);
[[nodiscard]] Changes renewing(const RehearsedRows& rows);
[[nodiscard]] Changes changing(const RehearsedRows& rows, Time now);
[[nodiscard]] Changes deleting(const RehearsedRows& rows, Time now);

}  // namespace semel::postgres
