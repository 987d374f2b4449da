// LocalWorker: claims jobs for the handlers of this process and runs up to `concurrency` of them at
// the same time. Each job has a lease of 15 s, and a heartbeat every 5 s. The worker claims jobs
// only if a slot is free and a commit, a hint or its last claim showed that there can be jobs.
//
// Errors: if the store fails, claims and results are sent again every second. A handler that lost
// its token is asked to stop, and its result is dropped.
// Threads: the engine's executor, for calls and callbacks. Handlers run elsewhere, see
// Env::run_handler().
// Lifetime: `env`, `ledger` and `settings` outlive it.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/ledger.hpp"
#include "engine/own_writes.hpp"
#include "engine/work_round.hpp"

namespace semel {

struct HandlerOptions {
    Millis timeout{0};
};

class LocalWorker {
public:
    LocalWorker(Env& env, Ledger& ledger, const Settings& settings, std::string name,
                int concurrency);
    ~LocalWorker();
    LocalWorker(const LocalWorker&) = delete;
    LocalWorker& operator=(const LocalWorker&) = delete;

    // Call add_handler() before start().
    void add_handler(std::string type, HandlerOptions options);
    [[nodiscard]] bool handles(const std::string& type) const { return handlers_.contains(type); }
    [[nodiscard]] std::vector<std::string> types() const;

    void start();
    // Claims no further jobs, and calls `done` when all handlers have ended and their results are
    // stored. After `grace`, the worker asks running handlers to stop and releases their jobs.
    // Results that the store does not accept then are dropped, and the leases of their jobs end.
    void stop(Millis grace, std::function<void()> done);

    // Checks a commit for jobs that became ready, and for running jobs that were lost.
    void committed(const Changes& changes);
    // Claims jobs as if some had become ready.
    void poll_again();

    // Claims jobs, and calls `done` when none is left or `limit` attempts have ended. Attempts that
    // are running already count.
    void work_round(int limit, std::function<void(RoundReport)> done);

private:
    using AttemptKey = WorkRound::AttemptKey;
    // The tenant of a job, and the commit stream that claimed it.
    struct Origin {
        std::string tenant;
        std::size_t stream = 0;  // of the ledger: the job also ends on it
    };
    struct Unsettled {
        Origin origin;
        JobCall call;
        std::shared_ptr<AtomicEnd> atomic = {};  // in place of `call`, which it produces
        bool is_doubt = false;                   // own SQL can have ended the job and `call` fail
        bool is_on_its_way = false;              // sent, not yet answered
    };

    // Returns the number of slots without a running job or a claimed one.
    [[nodiscard]] int free_slots() const;
    // Returns how many free slots one claim of jobs may fill.
    [[nodiscard]] int room() const;
    // Sends claims of jobs, on several commit streams if there are jobs for them.
    void take();
    [[nodiscard]] bool may_take() const;
    [[nodiscard]] std::unique_ptr<Task> make_take(std::size_t stream);
    // Returns how many jobs the claim asks for, when its batch begins.
    [[nodiscard]] int ask(std::size_t stream);
    void taken(std::size_t stream, Result<Reply<TakeJobs>> reply);
    void run(const TakenJob& job, std::size_t stream);
    void ended(const TakenJob& job, HandlerResult result);
    // Sends the end of an attempt until the store has accepted or refused it.
    void settle(Origin origin, JobCall call);
    void settle(const AttemptKey& key, Unsettled unsettled);
    void settle_as_said(const TakenJob& job, Origin origin, HandlerResult result);
    void send(const AttemptKey& key);
    [[nodiscard]] std::unique_ptr<Task> to_task(const AttemptKey& key, const Unsettled& unsettled);
    void catch_up_soon();
    void catch_up();
    void answered(const AttemptKey& key, const Result<Item<JobAnswer>>& answer);
    void send_all();
    void settled(const AttemptKey& key, const Item<JobAnswer>& answer);
    // Reports the end of an attempt to the rounds.
    void report(const AttemptKey& key, const std::string& error);
    void check_rounds();
    void heartbeat();
    void beat(const std::string& tenant, std::vector<AttemptKey> attempts);
    void fence(const AttemptKey& key);
    void end_grace();
    void retry_later();
    void check_stopped();

    Env& env_;
    Ledger& ledger_;
    const Settings& settings_;
    std::string name_;
    int concurrency_;
    std::map<std::string, HandlerOptions> handlers_;
    std::string last_tenant_;  // the next claim starts after it: tenants take turns

    bool started_ = false;
    bool stopping_ = false;
    bool grace_is_over_ = false;
    std::map<std::size_t, int> takes_;  // unanswered claims: commit stream, number of jobs
    bool may_be_more_ = true;
    bool is_behind_ = false;  // a claim came back full: there are jobs for all streams
    std::map<AttemptKey, Origin> running_;
    std::set<AttemptKey> fenced_;  // attempts in running_ that lost their token
    std::map<AttemptKey, Unsettled> unsettled_;
    std::map<std::size_t, std::vector<std::unique_ptr<Task>>> to_say_;  // by commit stream
    bool is_catching_up_ = false;
    std::optional<Env::TimerId> heartbeat_timer_;
    std::optional<Env::TimerId> retry_timer_;
    std::optional<Env::TimerId> grace_timer_;
    std::list<WorkRound> rounds_;
    std::function<void()> stopped_;
    std::shared_ptr<bool> is_alive_;
};

}  // namespace semel
