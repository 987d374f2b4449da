// RememberedJobs: running jobs, each as the last commit of this node left it.
//
// All committers of a store share one: a worker may take a job on one and complete it on another.
// A remembered job need not be fetched and locked again. Another node may have changed it since,
// so it is a guess until a save has found the row to be so. A wrong guess costs another try and
// changes no decision.
// Threads: any.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/batch/changes.hpp"

namespace semel {

// Jobs that a batch was decided by without having them locked.
using Guesses = std::unordered_set<JobId>;

// Whether a save of these changes finds out about all of them. If not, the batch is to be decided
// again, by rows that are read: nobody is answered by a guess.
[[nodiscard]] bool tests_all(const Changes& changes, const Guesses& guesses);

class RememberedJobs {
public:
    // At this size it forgets all: it does not notice the jobs that other nodes end.
    static constexpr std::size_t kMax = 8192;
    // From the take on. Later a heartbeat of another node may have changed the row.
    static constexpr Millis kFor = std::chrono::seconds(4);

    // After a commit that happened.
    void note(const Changes& changes);
    // After a batch that was rolled back: the next batch reads these jobs.
    void forget(const Guesses& guesses);

    // Null: not known with this token, or known for too long.
    [[nodiscard]] std::optional<Job> find(const JobId& id, Token token, Time now) const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<JobId, Job> jobs_;
};

}  // namespace semel
