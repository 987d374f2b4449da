#include "store/caches/remembered_jobs.hpp"

#include <algorithm>

namespace semel {
namespace {

// Returns true if the end of the job needs no other row. Such a row could contradict the guess.
bool stands_alone(const Job& job) {
    return !job.in_chain && job.blocks == 0 && job.lock_group.empty() && !job.occurrence &&
           !job.successor;
}

}  // namespace

bool tests_all(const Changes& changes, const Guesses& guesses) {
    const auto tested =
        std::count_if(changes.jobs.begin(), changes.jobs.end(), [&](const Change<Job>& change) {
            return change.before && change.after && change.after->place != Place::running &&
                   guesses.contains(change.before->id);
        });
    return static_cast<std::size_t>(tested) == guesses.size();
}

void RememberedJobs::note(const Changes& changes) {
    const std::lock_guard lock(mutex_);
    for (const auto& [before, after] : changes.jobs) {
        if (after && after->place == Place::running && stands_alone(*after)) {
            if (jobs_.size() >= kMax) jobs_.clear();
            jobs_.insert_or_assign(after->id, *after);
        } else if (before) {
            jobs_.erase(before->id);
        }
    }
}

void RememberedJobs::forget(const Guesses& guesses) {
    const std::lock_guard lock(mutex_);
    for (const JobId& id : guesses) jobs_.erase(id);
}

std::optional<Job> RememberedJobs::find(const JobId& id, Token token, Time now) const {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.token != token) {
        return std::nullopt;
    }
    const Job& job = found->second;
    return job.lease && now < job.lease->started_at + kFor ? std::optional(job) : std::nullopt;
}

}  // namespace semel
