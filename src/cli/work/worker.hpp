// Worker: pulls jobs and runs a program for each. It asks only for as many as it has free slots,
// one request at a time, and not at all while it is saturated.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/work/child_process.hpp"
#include "cli/work/jobs_api.hpp"

namespace semel::cli {

struct WorkerOptions {
    std::vector<std::string> types;
    std::string command;
    std::string name;
    int concurrency = 1;
    Millis lease = std::chrono::seconds(15);
    Millis claim_wait = std::chrono::seconds(5);  // of one long poll
    Millis kill_grace = std::chrono::seconds(5);
    std::optional<int> jobs_max;
    std::vector<std::string> environment;  // of the programs, before the job's own variables
};

enum class JobEnd { completed, failed, released, lost, unreported };

// Called on the worker's threads, one call at a time.
struct WorkerEvents {
    std::function<void(const ClaimedJob& job)> started;
    std::function<void(const ClaimedJob& job, JobEnd end, Millis took)> ended;
    std::function<void(const std::string& message)> said;
};

// How long to wait before asking again where nobody answered: growing, up to a bound.
class Backoff {
public:
    [[nodiscard]] Millis next() {
        const Millis wait = wait_;
        wait_ = std::min(wait_ * 2, Millis(5'000));
        return wait;
    }
    void reset() { wait_ = Millis(100); }

private:
    Millis wait_{100};
};

class Worker {
public:
    Worker(WorkerOptions options, CallerFactory callers, WorkerEvents events);
    ~Worker();  // release_all(), then waits
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void start();

    // Takes no further jobs; those that run may end.
    void stop_claiming();
    // Ends what runs, and gives it back without charging the attempt.
    void release_all();

    // Readable when nothing runs any more and nothing will.
    [[nodiscard]] int finished_fd() const { return finished_.fd(); }
    // Why it stopped claiming by itself; empty if it did not.
    [[nodiscard]] std::string refusal() const;
    // Its status of HTTP.
    [[nodiscard]] int refusal_status() const;

private:
    // A job from its claim to the end of its result.
    struct Held {
        explicit Held(ClaimedJob claimed) : job(std::move(claimed)) {}

        const ClaimedJob job;
        StopFlag stop;
        bool is_lost = false;  // guarded by the worker's mutex
    };
    using HeldPtr = std::shared_ptr<Held>;

    void claim_loop();
    // REQUIRES: mutex_ is held.
    void end_claims();
    [[nodiscard]] int wait_for_room();
    bool take_in(const CallOutcome& outcome, std::vector<ClaimedJob> jobs, JobsApi& api);
    void slot_loop();
    void heartbeat_loop();
    void beat(const std::vector<HeldPtr>& held, JobsApi& api);
    void run_job(Held& held, JobsApi& api);
    [[nodiscard]] std::optional<std::string> output_of(const ClaimedJob& job,
                                                       const ChildOutcome& outcome);
    [[nodiscard]] JobEnd report(Held& held, const ChildOutcome& outcome, JobsApi& api);
    [[nodiscard]] CallOutcome call_until_answered(Held& held,
                                                  const std::function<CallOutcome()>& call);
    [[nodiscard]] JobEnd fail_job(Held& held, JobsApi& api, const std::string& error, bool final);
    [[nodiscard]] ChildOptions child_options(const ClaimedJob& job) const;

    // Whether the wait was cut short by a stop.
    bool pause(Millis wait, const bool& until);
    void say(const std::string& message);
    [[nodiscard]] bool is_stopping() const;

    const WorkerOptions options_;
    const CallerFactory callers_;
    const WorkerEvents events_;
    JobsApi claims_;  // for claim_loop() alone, which a stop hangs up on
    StopFlag finished_;
    std::vector<std::thread> threads_;
    std::mutex events_mutex_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // State below is guarded by mutex_.
    std::map<std::string, HeldPtr> held_;  // from the claim to the accepted result
    std::deque<HeldPtr> queue_;            // claimed, not yet started
    int claimed_ = 0;
    bool stopping_ = false;   // no further claims
    bool releasing_ = false;  // nor waiting for what runs
    bool done_ = false;
    std::string refusal_;
    int refusal_status_ = 0;
};

}  // namespace semel::cli
