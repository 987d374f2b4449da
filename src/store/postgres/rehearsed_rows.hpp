// One row of every kind, of a tenant that nobody can have: what a rehearsal writes and rolls back.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/changes.hpp"

namespace semel::postgres {

struct RehearsedRows {
    std::string tenant;
    // In each of the four lines one.
    Job ready;
    Job later;
    Job running;
    Job waiting;
    // A chain of two jobs, whose second waits for the action that is ready.
    Job first;
    Job blocked;
    Edge edge;
    Claim claim;
    // Held for an effect, of a version of its source.
    Claim fence;
    Source source;
    LockGroup group;
    Schedule schedule;
    BulkRun bulk_run;
    ApiToken api_token;
    Uuid outbox_result;
};

[[nodiscard]] RehearsedRows make_rehearsed_rows(const std::function<Uuid()>& new_id, Time now);

// What a batch could decide about them, in this order.
[[nodiscard]] Changes inserting(const RehearsedRows& rows);
[[nodiscard]] Changes renewing(const RehearsedRows& rows);
[[nodiscard]] Changes changing(const RehearsedRows& rows, Time now);
[[nodiscard]] Changes deleting(const RehearsedRows& rows, Time now);

}  // namespace semel::postgres
