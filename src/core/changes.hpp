// What a batch decided: row changes with their before and after, so that a store writes only the
// tables that a change really touches.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/rows.hpp"

namespace semel {

template <typename Row>
struct Change {
    std::optional<Row> before;  // absent: inserted
    std::optional<Row> after;   // absent: deleted
};

struct Changes {
    std::vector<Change<Claim>> claims;  // deleting a claim deletes its content too
    std::vector<std::pair<ClaimId, std::optional<Content>>> contents;  // upserts, or deletions
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
    std::vector<DecisionRef> forgotten;          // lines of the log that are deleted
    std::vector<std::int64_t> drained;           // entries of the outbox that are decided: deleted
    std::vector<OutboxResult> outbox_results;    // what became of them
    std::vector<Uuid> forgotten_outbox_results;  // deleted
    std::vector<DecisionEntry> repeats;  // not stored here: summed, and recorded within a second

    [[nodiscard]] bool empty() const {
        return claims.empty() && contents.empty() && sources.empty() && jobs.empty() &&
               bodies.empty() && results.empty() && groups.empty() && edges.empty() &&
               schedules.empty() && bulk_runs.empty() && api_tokens.empty() && attempts.empty() &&
               decisions.empty() && forgotten.empty() && drained.empty() &&
               outbox_results.empty() && forgotten_outbox_results.empty();
    }
};

// Whether somebody may wait for this: an unfinished job has ended for good, or is gone, and nothing
// follows it.
[[nodiscard]] inline bool may_end_chain(const Change<Job>& change) {
    const bool was_over = change.before && is_final(change.before->status);
    const bool is_over = !change.after || (is_final(change.after->status) && !change.after->next);
    return is_over && !was_over;
}

}  // namespace semel
