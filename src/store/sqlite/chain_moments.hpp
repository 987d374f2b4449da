// What a batch does to chains, by its changes: the moments at which crash points stand.
#pragma once

#include <algorithm>

#include "core/changes.hpp"

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

// A chain others wait for has failed, and they are yet to be told.
[[nodiscard]] inline bool leaves_untold(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && job.before->place != Place::telling &&
               job.after->place == Place::telling;
    });
}

[[nodiscard]] inline bool tells_dependants(const Changes& changes) {
    return any_job(changes, [](const Change<Job>& job) {
        return job.before && job.before->place == Place::telling &&
               job.after->place != Place::telling;
    });
}

}  // namespace semel::sqlite
