// Returns which steps of a chain's life a batch's changes contain. Only crash points use this.
// Pure.
// Threads: any.
#pragma once

#include <algorithm>

#include "core/batch/changes.hpp"

namespace semel::sqlite {

template <typename Predicate>
[[nodiscard]] bool any_job(const Changes& changes, const Predicate& is_it) {
    return std::any_of(changes.jobs.begin(), changes.jobs.end(),
                       [&](const Change<Job>& change) { return change.after && is_it(change); });
}

[[nodiscard]] inline bool starts_blocked_chain(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return !job.before && job.after->begins_chain() && job.after->blockers > 0;
    });
}

[[nodiscard]] inline bool continues_chain(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && !job.before->next && job.after->next;
    });
}

[[nodiscard]] inline bool releases_blocked(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && job.before->status == Status::blocked &&
               job.after->status == Status::pending;
    });
}

// Returns true if a chain with waiting jobs has failed in this batch. A later batch must fail these
// jobs.
[[nodiscard]] inline bool leaves_untold(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && job.before->place != Place::failing_dependants &&
               job.after->place == Place::failing_dependants;
    });
}

// Returns true if this batch has failed the jobs that waited for a failed chain.
[[nodiscard]] inline bool has_failed_dependants(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && job.before->place == Place::failing_dependants &&
               job.after->place != Place::failing_dependants;
    });
}

}  // namespace semel::sqlite
