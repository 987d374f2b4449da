// BulkRunner: walks the actions of each open bulk run, a step at a time, the runs in turn. What is
// left of a run is in its row, so that a restart goes on where the last commit was.
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

    // Goes on with the runs that the store has.
    void start();
    void stop() { stopped_ = true; }

    void committed(const Changes& changes);
    // Asks the store for open runs, instead of trusting what commits told.
    void look_again();

private:
    void add(const BulkRun& run);
    void next_step();
    void read(const BulkRun& run);
    void step(const Uuid& run, std::vector<JobId> actions);
    void stepped(const Uuid& id, const Result<Reply<StepBulk>>& reply);
    void retry_later(const std::function<void()>& again);
    // Reads are answered elsewhere, and maybe when this is gone.
    template <typename T>
    Done<T> here(std::function<void(Result<T>)> run);

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    int step_actions_;
    bool stopped_ = true;
    bool is_stepping_ = false;
    std::map<Uuid, BulkRun> open_;
    std::deque<Uuid> turns_;  // INVARIANT: the open runs, but for the one that is stepping
    std::optional<Env::TimerId> retry_timer_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
