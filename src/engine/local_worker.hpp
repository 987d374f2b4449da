// LocalWorker: runs the handlers of this process. It holds short leases and heartbeats them, takes
// what it has room for, and asks only when there may be work.
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

    // Before start.
    void add_handler(std::string type, HandlerOptions options);
    [[nodiscard]] bool handles(const std::string& type) const { return handlers_.contains(type); }
    [[nodiscard]] std::vector<std::string> types() const;

    void start();
    // Takes nothing more. Calls back when the running handlers have ended and their results are
    // stored; after `grace`, what still runs is told to stop and released, and what the store did
    // not take is left to its lease.
    void stop(Millis grace, std::function<void()> done);

    void committed(const Changes& changes);
    void look_again();

    // Looks for work, and calls back when there is nothing left to do or `limit` attempts have
    // ended; those that run already count.
    void work_round(int limit, std::function<void(RoundReport)> done);

private:
    using AttemptKey = WorkRound::AttemptKey;
    // Where a job came from.
    struct Origin {
        std::string tenant;
        std::size_t line = 0;  // of the ledger: it ends on the one that it was taken on
    };
    struct Unsettled {
        Origin origin;
        JobCall call;
        std::shared_ptr<AtomicEnd> atomic = {};  // in place of the call: what it comes to
        bool is_doubt = false;                   // the call is right if it is refused
        bool is_on_its_way = false;
    };

    // Those that neither run anything nor are asked for.
    [[nodiscard]] int free_slots() const;
    // How many of them one take may fill.
    [[nodiscard]] int room() const;
    // Sends as many takes as are worth it.
    void take();
    [[nodiscard]] bool may_take() const;
    [[nodiscard]] std::unique_ptr<Task> make_take(std::size_t line);
    // For how many.
    [[nodiscard]] int ask(std::size_t line);
    void taken(std::size_t line, Result<Reply<TakeJobs>> reply);
    void run(const TakenJob& job, std::size_t line);
    void ended(const TakenJob& job, HandlerResult result);
    // Says how an attempt ended, again and again until the store has taken or refused it.
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
    // An attempt is over for those who watch.
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
    std::string last_tenant_;  // turns between tenants go on where they were

    bool started_ = false;
    bool stopping_ = false;
    bool grace_is_over_ = false;
    std::map<std::size_t, int> takes_;  // under way: the line, and for how many jobs
    bool may_be_more_ = true;
    bool is_behind_ = false;  // a take came back full: there is work for all lines
    std::map<AttemptKey, Origin> running_;
    std::set<AttemptKey> fenced_;  // of those, the ones that lost their token
    std::map<AttemptKey, Unsettled> unsettled_;
    std::map<std::size_t, std::vector<std::unique_ptr<Task>>> to_say_;  // by line
    bool is_catching_up_ = false;
    std::optional<Env::TimerId> heartbeat_timer_;
    std::optional<Env::TimerId> retry_timer_;
    std::optional<Env::TimerId> grace_timer_;
    std::list<WorkRound> rounds_;
    std::function<void()> stopped_;
    std::shared_ptr<bool> is_alive_;
};

}  // namespace semel
