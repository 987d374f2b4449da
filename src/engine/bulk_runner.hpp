// BulkRunner: applies each open bulk run to its actions, `step_actions` per commit. Open runs take
// turns, one step at a time. The row of a run says which actions are left, so a restarted node
// continues after the last commit.
//
// Errors: if a read or a commit fails, the runner tries again after 1 s.
// Threads: the engine's executor.
// Lifetime: `env`, `store` and `ledger` outlive the runner. Answers to reads after its destructor
// are ignored.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/ledger.hpp"

namespace semel {

class BulkRunner {
public:
    BulkRunner(Env& env, Store& store, Ledger& ledger, int step_actions);
    ~BulkRunner();

    // Continues the open runs in the store.
    void start();
    void stop() { stopped_ = true; }

    // Starts the runs that this commit created.
    void committed(const Changes& changes);
    // Reads the open runs from the store again. Needed if another node may have created one.
    void poll_again();

private:
    void add(const BulkRun& run);
    void next_step();
    void read(const BulkRun& run);
    void step(const Uuid& run, std::vector<JobId> actions);
    void stepped(const Uuid& id, const Result<Reply<StepBulk>>& reply);
    void retry_later(const std::function<void()>& again);

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    int step_actions_;
    bool stopped_ = true;
    bool is_stepping_ = false;
    std::map<Uuid, BulkRun> open_;
    std::deque<Uuid> turns_;  // INVARIANT: the open runs, except the one in a step
    std::optional<Env::TimerId> retry_timer_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
