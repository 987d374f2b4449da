// FaultyStore: the shared database as one process sees it. Each step takes its time, others come
// between its statements, and it may fail; at a commit the process may crash, before or after it.
#pragma once

#include <functional>
#include <memory>

#include "sim/context.hpp"
#include "sim/store_watcher.hpp"
#include "sim/transaction.hpp"
#include "sim/wake_channel.hpp"
#include "store/store.hpp"

namespace semel::sim {

// What outlives every process.
struct Shared {
    Database& database;
    WakeChannel& wake_channel;
};

class FaultyStore final : public Store {
public:
    // `crash` ends the process once the current event is over.
    FaultyStore(Context& context, StoreWatcher& watcher, const Shared& shared, ProcessId process,
                std::function<void()> crash);
    ~FaultyStore() override;
    FaultyStore(const FaultyStore&) = delete;
    FaultyStore& operator=(const FaultyStore&) = delete;

    std::unique_ptr<Committer> open_committer(Post post) override;
    [[nodiscard]] int committers() const override { return context_.plan.committers; }
    Reads& reads() override { return database_.reads(); }
    [[nodiscard]] Time now() const override { return database_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return database_.clock_offset(); }
    [[nodiscard]] StoreInfo info() const override { return {"sim", "this run", "", false}; }
    [[nodiscard]] bool is_shared() const override { return context_.plan.is_shared(); }
    void watch(const std::function<void()>& poll) override;
    void watch_ends(const std::function<void()>& poll) override;

private:
    class Steps;

    Context& context_;
    StoreWatcher& watcher_;
    Database& database_;
    WakeChannel& wake_channel_;
    ProcessId process_;
    std::function<void()> crash_;
    RememberedJobs remembered_;
};

}  // namespace semel::sim
