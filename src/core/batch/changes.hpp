// Changes: everything that a batch decided, as rows before and after.
//
// A store saves all of it in one transaction. It compares before and after, and writes only the
// tables that a change really touches. Plain values.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/batch/rows.hpp"

namespace semel {

template <typename Row>
struct Change {
    std::optional<Row> before;  // absent: inserted
    std::optional<Row> after;   // absent: deleted
};

struct Changes {
    std::vector<Change<Claim>> claims;  // deleting a claim deletes its content too
    std::vector<std::pair<ClaimId, std::optional<Content>>> contents;  // upserts, or deletions
    std::vector<ResponseChange> responses;                             // in this order
    std::vector<Change<Source>> sources;
    std::vector<Change<Job>> jobs;  // deleting a job deletes its body, result and attempts too
    std::vector<std::pair<JobId, JobBody>> bodies;                    // upserts
    std::vector<std::pair<JobId, std::optional<JobResult>>> results;  // upserts, or deletions
    std::vector<Change<LockGroup>> groups;
    std::vector<Change<Edge>> edges;
    std::vector<Change<Schedule>> schedules;
    std::vector<Change<BulkRun>> bulk_runs;
    std::vector<Change<ApiToken>> api_tokens;
    std::vector<Attempt> attempts;               // appended
    std::vector<DecisionEntry> decisions;        // appended
    std::vector<DecisionRef> forgotten;          // entries of the decision log to delete
    std::vector<std::int64_t> drained;           // decided entries of the outbox, to delete
    std::vector<OutboxResult> outbox_results;    // the results of drained entries
    std::vector<Uuid> forgotten_outbox_results;  // to delete
    std::vector<DecisionEntry> repeats;  // not saved here: summed, and written within a second

    [[nodiscard]] bool empty() const {
        return claims.empty() && contents.empty() && responses.empty() && sources.empty() &&
               jobs.empty() && bodies.empty() && results.empty() && groups.empty() &&
               edges.empty() && schedules.empty() && bulk_runs.empty() && api_tokens.empty() &&
               attempts.empty() && decisions.empty() && forgotten.empty() && drained.empty() &&
               outbox_results.empty() && forgotten_outbox_results.empty();
    }
};

// Returns true if the change may end a chain, so that the callers which wait for it must be woken.
// An unfinished job then has reached a final status without a continuation, or is deleted.
[[nodiscard]] inline bool may_end_chain(const Change<Job>& change) {
    const bool was_over = change.before && is_final(change.before->status);
    const bool is_over = !change.after || (is_final(change.after->status) && !change.after->next);
    return is_over && !was_over;
}

}  // namespace semel
