// Dispatcher: gives due work to those who ask for it. A poller without work is parked and
// woken by the commit that makes a job of its lane ready; nobody polls.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ledger.hpp"

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
    ~Dispatcher();
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    // Answers with work, or with nothing when the wait is over.
    PollerId claim(ClaimRequest request, Callback done);
    // Whoever asked is gone, or may not ask any more. One that waits is forgotten, and answered
    // with nothing. One whose jobs are being taken gets those and looks no further.
    void cancel(PollerId id);

    void committed(const Changes& changes);
    // Lets everyone who waits look once more.
    void look_again();

    // Answers everyone who waits, with nothing. Later claims get nothing either.
    void stop();

    // Whether somebody asked for this lane not long ago.
    [[nodiscard]] bool has_worker(const Lane& lane) const;
    [[nodiscard]] KnownWorkers known_workers() const;

private:
    struct Poller;

    void take(Poller& poller);
    void taken(PollerId id, Result<Reply<TakeJobs>> reply);
    void park(Poller& poller);
    void became_ready(const Lane& lane);
    void answer(PollerId id, Result<std::vector<TakenJob>> jobs);
    void remember(const Lane& lane, Time until);

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    bool stopped_ = false;
    PollerId last_id_ = 0;
    std::map<PollerId, std::unique_ptr<Poller>> pollers_;
    std::map<Lane, std::set<PollerId>> lanes_;  // who waits for what; first come, first served
    std::map<Lane, Time> last_asked_;
};

}  // namespace semel
