// Ledger: group commit. Whatever waits is loaded, decided and saved as one batch; replies leave
// after its commit. Under load hundreds of callers share one fsync; alone, a caller waits for
// nobody. There is no timer in it.
//
//   idle ─► loading ─► (decide) ─► saving ─► committing ─► (answer) ─► idle, or loading again
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "core/settings.hpp"
#include "engine/env.hpp"
#include "engine/task.hpp"
#include "store/store.hpp"

namespace semel {

class Ledger {
public:
    using Committed = std::function<void(const Changes&)>;

    // `committed` is told of every commit, after its replies have left.
    Ledger(Env& env, Store& store, const Settings& settings, Committed committed);
    ~Ledger();

    // A full queue answers `overloaded` at once.
    void submit(std::unique_ptr<Task> task);

    // Calls back when every task submitted so far has been answered.
    void when_idle(std::function<void()> done);

    [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

private:
    struct Batch;

    void begin();
    void loaded(Result<Loaded> rows);
    void save();
    void finish(const Result<void>& committed);

    Env& env_;
    const Settings& settings_;
    Committed committed_;
    std::function<std::uint64_t()> random_;
    UuidGenerator ids_;
    std::unique_ptr<Committer> committer_;

    std::deque<std::unique_ptr<Task>> queue_;
    std::unique_ptr<Batch> batch_;  // INVARIANT: null exactly while idle
    std::vector<std::function<void()>> idle_waiters_;
};

}  // namespace semel
