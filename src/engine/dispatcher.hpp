// Dispatcher: takes due jobs for the workers that poll for some. A poll that finds no job is parked
// until a commit makes a job of one of its lanes ready, so an idle worker costs no query. (A lane
// is a tenant and a type of jobs.)
//
// Errors: `overloaded` if the ledger is full, otherwise those of the commit.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: all arguments of the constructor outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/ledger.hpp"
#include "engine/waiters.hpp"

namespace semel {

struct ClaimRequest {
    std::string tenant;
    std::vector<std::string> types;
    int max = 1;
    std::string worker;
    Millis lease{0};
    Millis wait{0};  // how long to wait for work; 0: answer at once
};

class Dispatcher {
public:
    using Callback = std::function<void(Result<std::vector<TakenJob>>)>;
    using PollerId = std::uint64_t;

    Dispatcher(Env& env, Store& store, Ledger& ledger);

    // Answers with jobs, or with none when the wait is over.
    PollerId claim(ClaimRequest request, Callback done);
    // Answers a poll with no job, because its caller has disconnected or lost its right to work.
    // Jobs that are being taken for it are released.
    void cancel(PollerId id) { polls_.cancel(id); }

    // Wakes a parked poll for each job that became ready.
    void committed(const Changes& changes);
    // Lets every parked poll query the store once more.
    void poll_again();

    // Answers the parked polls, and later ones, with no job. A poll with a running query receives
    // the jobs that it finds.
    void stop() { polls_.stop(); }

    // Returns true if a worker has polled this lane within the last 90 s.
    [[nodiscard]] bool has_worker(const Lane& lane) const;
    [[nodiscard]] KnownWorkers known_workers() const;

private:
    struct Poll {
        ClaimRequest request;
        Time deadline;
    };
    using Polls = Waiters<Lane, Poll, std::vector<TakenJob>>;

    void take(PollerId id);
    void taken(PollerId id, Result<Reply<TakeJobs>> reply);
    void remember(const Lane& lane, Time until);
    // True for polls whose wait is not over. A poll past its wait gets no job, even if its timer is
    // late: its caller might have lost its right to work.
    [[nodiscard]] Polls::Condition is_in_time() const;

    Store& store_;
    Ledger& ledger_;
    std::map<Lane, Time> last_asked_;
    Polls polls_;
};

}  // namespace semel
