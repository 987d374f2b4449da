// RememberedJobs: jobs that run, as the last commit of this committer left them.
//
// Who takes a job completes it on the same committer, as a rule: then its row need not be fetched
// and locked again. It may have been changed elsewhere since, so what is remembered is a guess
// until a save has found the row to be so. A wrong guess costs another try, never a wrong decision.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "core/changes.hpp"

namespace semel {

// Jobs that a batch was decided by without having them locked.
using Guesses = std::unordered_set<JobId>;

// Whether a save of these changes finds out about all of them. If not, the batch is to be decided
// again, by rows that are read: nobody is answered by a guess.
[[nodiscard]] bool tests_all(const Changes& changes, const Guesses& guesses);

class RememberedJobs {
public:
    // Beyond this it forgets all: of jobs that are ended elsewhere it hears nothing.
    static constexpr std::size_t kMax = 4096;
    // From the take on. Later a heartbeat may have changed the row, which goes to any committer.
    static constexpr Millis kFor = std::chrono::seconds(4);

    // Of a commit that happened.
    void note(const Changes& changes);
    // Of a batch that came to nothing: those are read next time.
    void forget(const Guesses& guesses);

    // Null: not with that token, or no longer.
    [[nodiscard]] const Job* find(const JobId& id, Token token, Time now) const;

private:
    std::unordered_map<JobId, Job> jobs_;
};

}  // namespace semel
