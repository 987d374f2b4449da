// RememberedJobs: the rows of running jobs, as the last commit of this node left them.
//
// All committers of a store share one object, because a job can be taken on one committer and
// completed on another. A load need not fetch and lock a remembered job again. Another node can
// have changed the job. So its row is a *guess* until a save has checked that the stored row is
// equal. A wrong guess costs another try and changes no decision.
//
// Errors: none. Threads: any.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/batch/changes.hpp"

namespace semel {

// Jobs whose remembered rows a batch used without a lock.
using Guesses = std::unordered_set<JobId>;

// Returns true if a save of these changes checks all guesses. Otherwise the batch must be decided
// again with rows that are read, because no caller is answered by an unchecked guess.
[[nodiscard]] bool tests_all(const Changes& changes, const Guesses& guesses);

class RememberedJobs {
public:
    // The limit of jobs. Above it, all are forgotten, because jobs that other nodes end stay here.
    static constexpr std::size_t kMax = 8192;
    // How long a job is remembered after its claim. Later a heartbeat of another node can have
    // changed the row.
    static constexpr Millis kFor = std::chrono::seconds(4);

    // Updates the memory after a durable commit. Remembers only running jobs whose end needs no
    // other row, like that of a chain or a lock group.
    void note(const Changes& changes);
    // Forgets these jobs after a rollback, so that the next batch reads them.
    void forget(const Guesses& guesses);

    // Returns nullopt if no row with this token is remembered, or if it is too old.
    [[nodiscard]] std::optional<Job> find(const JobId& id, Token token, Time now) const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<JobId, Job> jobs_;
};

}  // namespace semel
