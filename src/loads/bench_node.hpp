// BenchNode: an engine on a store, made for one measure, which counts its commits.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <semel/engine.hpp>

#include "runtime/host.hpp"

namespace semel::loads {

// Thread-safe: the engine's thread counts, the measuring one reads.
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
    [[nodiscard]] static Result<std::unique_ptr<BenchNode>> open(const std::string& store,
                                                                 int concurrency = 64);

    // Before start(). Runs on threads of the engine.
    void handle(const std::string& type, std::function<void()> handler);
    void start() { host_.start(); }
    // Until everything that was begun is durable.
    void stop() { host_.stop(std::chrono::seconds(10)); }

    // As the library does it; `done` runs on the engine's thread.
    void schedule(const ActionSpec& action, std::function<void(Result<ScheduledAction>)> done);
    // Blocks. All of them in one commit; an error if any is refused.
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
