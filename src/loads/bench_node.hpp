// BenchNode: an engine on a store that serves one measurement and counts its commits.
//
// Use: open(), handle() for each type, start(), schedule, stop().
//
// Errors: those of the store.
// Threads: one thread measures and calls all functions.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <semel/engine.hpp>

#include "runtime/host.hpp"

namespace semel::loads {

// Counts commits and their commands. The engine's thread counts, and any thread reads.
class CommitCounter final : public Observer {
public:
    void on_commit(StoreRole /*store*/, std::size_t commands, double /*seconds*/) override {
        commits_ += 1;
        commands_ += static_cast<std::int64_t>(commands);
    }
    [[nodiscard]] std::int64_t commits() const { return commits_; }
    [[nodiscard]] std::int64_t commands() const { return commands_; }

private:
    std::atomic<std::int64_t> commits_{0};
    std::atomic<std::int64_t> commands_{0};
};

class BenchNode {
public:
    // Opens the store, and creates it if it is missing. `concurrency` limits the handlers that run
    // at once. Errors: the store cannot be opened.
    [[nodiscard]] static Result<std::unique_ptr<BenchNode>> open(const std::string& store,
                                                                 int concurrency = 64);

    // Registers a handler that completes each job. Call it before start(). Handlers run on the
    // engine's threads, at the same time.
    void handle(const std::string& type, std::function<void()> handler);
    void start() { host_.start(); }
    // Stops the engine within 10 s. Every acknowledged change is durable then. Blocks.
    void stop() { host_.stop(std::chrono::seconds(10)); }

    // Schedules an action as the library does, without blocking. `done` runs on the engine's thread
    // after the commit. A refused action is an error.
    void schedule(const ActionSpec& action, std::function<void(Result<ScheduledAction>)> done);
    // Schedules all actions in one commit, for the tenant of the first one. Blocks until it is
    // durable. An error if any action is refused. REQUIRES: at least one action.
    [[nodiscard]] Result<void> schedule_all(const std::vector<ActionSpec>& actions);

    [[nodiscard]] const CommitCounter& counter() const { return counter_; }
    [[nodiscard]] Host& host() { return host_; }

private:
    BenchNode(std::unique_ptr<Store> store, NodeOptions options)
        : host_(std::move(store), std::move(options), counter_) {}

    CommitCounter counter_;
    Host host_;
};

}  // namespace semel::loads
