// Dispatcher: takes due jobs for the workers that poll. A poll that finds no job is parked until a
// commit makes a job of one of its lanes ready; an idle worker costs no query.
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

    // Answers with jobs, or with none when the wait is over. `overloaded`: the ledger is full.
    PollerId claim(ClaimRequest request, Callback done);
    // The caller has hung up, or lost its right to work: it is answered with no job. Jobs that are
    // being taken for it are released.
    void cancel(PollerId id) { polls_.cancel(id); }

    void committed(const Changes& changes);
    // Every parked poll polls once more.
    void poll_again();

    // Answers the parked polls, and later ones, with no job. A poll that polls receives what it
    // finds.
    void stop() { polls_.stop(); }

    // Whether a worker has polled this lane within the last 90 s.
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
    // A poll whose wait is over might have lost its right to work, even if its timer is late.
    [[nodiscard]] Polls::Condition is_in_time() const;

    Store& store_;
    Ledger& ledger_;
    std::map<Lane, Time> last_asked_;
    Polls polls_;
};

}  // namespace semel
