// Worker: the loop of `semel work`. It claims jobs and runs a program for each one. One request at
// a time claims as many jobs as slots are free. Without a free slot the worker claims none.
//
// Errors: a failed request is repeated. A refused claim ends the claims: see refusal().
// Threads: one controlling thread calls the functions, except finished_fd(), refusal() and
// refusal_status(), which any thread may call.
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
    Millis claim_wait = std::chrono::seconds(5);  // the wait of one claim
    Millis kill_grace = std::chrono::seconds(5);
    std::optional<int> jobs_max;           // claims no further job after these
    std::vector<std::string> environment;  // of the programs, before the job's variables
};

enum class JobEnd { completed, failed, released, lost, unreported };

// Receives events, on the worker's threads, one call at a time. All three must be set.
struct WorkerEvents {
    std::function<void(const ClaimedJob& job)> started;
    std::function<void(const ClaimedJob& job, JobEnd end, Millis took)> ended;
    std::function<void(const std::string& message)> said;
};

// The wait before a failed request is repeated: from 100 ms, doubled each time, up to 5 s.
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

    // Starts the threads: one for claims, one for heartbeats, one per slot. Call it once.
    void start();

    // Claims no further jobs; running programs continue. Does not block.
    void stop_claiming();
    // Stops the running programs and releases their jobs, so that the attempts are not counted.
    // Does not block.
    void release_all();

    // Returns a descriptor that is readable once no program runs and no job will be claimed.
    [[nodiscard]] int finished_fd() const { return finished_.fd(); }
    // Returns the message of the refusal that ended the claims; empty if none did.
    [[nodiscard]] std::string refusal() const;
    // Returns the HTTP status of that refusal, or 0.
    [[nodiscard]] int refusal_status() const;

private:
    // A job, from its claim until its result is accepted or its report is abandoned.
    struct Held {
        explicit Held(ClaimedJob claimed) : job(std::move(claimed)) {}

        const ClaimedJob job;
        StopFlag stop;
        bool is_lost = false;  // guarded by the worker's mutex
    };
    using HeldPtr = std::shared_ptr<Held>;

    void claim_loop();
    // Ends the waiting claim, and prevents further claims. REQUIRES: mutex_ is held.
    void end_claims();
    // Waits for a free slot. Returns how many jobs to claim; 0: claim no further jobs.
    [[nodiscard]] int wait_for_room();
    // Queues the claimed jobs, or releases them after a stop. Returns false after the last claim.
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

    // Waits until `until` is true or the time has passed. Returns `until`.
    bool pause(Millis wait, const bool& until);
    void say(const std::string& message);
    [[nodiscard]] bool is_stopping() const;

    const WorkerOptions options_;
    const CallerFactory callers_;
    const WorkerEvents events_;
    JobsApi claims_;  // for claim_loop() alone; a stop hangs it up
    StopFlag finished_;
    std::vector<std::thread> threads_;
    std::mutex events_mutex_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // State below is guarded by mutex_.
    std::map<std::string, HeldPtr> held_;  // by id; from the claim to the end of its result
    std::deque<HeldPtr> queue_;            // claimed, but not started
    int claimed_ = 0;
    bool stopping_ = false;   // no further claims
    bool releasing_ = false;  // running programs are stopped
    bool done_ = false;
    std::string refusal_;
    int refusal_status_ = 0;
};

}  // namespace semel::cli
