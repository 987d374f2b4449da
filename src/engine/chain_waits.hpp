// ChainWaits: callers that wait for the end of a chain. The commit that ends the chain wakes them.
// Another node can make that commit. So one query for all waiting callers polls the store: 50 ms
// after a hint of an end, and every 2 s, because hints can be lost.
//
// Errors: the store's, and `stopped` if the wait was cancelled or the node stops.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: `env` and `store` outlive it. After the destructor no callback runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/hinted_polls.hpp"
#include "engine/waiters.hpp"

namespace semel {

// A chain at the end of the wait.
struct AwaitedChain {
    ChainView view;
    bool has_ended = false;  // false: the deadline came first
};

class ChainWaits {
public:
    // Receives nullopt if the chain does not exist.
    using Callback = std::function<void(Result<std::optional<AwaitedChain>>)>;
    using WaitId = std::uint64_t;

    ChainWaits(Env& env, Store& store);
    ~ChainWaits() { *is_alive_ = false; }
    ChainWaits(const ChainWaits&) = delete;
    ChainWaits& operator=(const ChainWaits&) = delete;

    // Answers at once if the chain has ended.
    WaitId wait(std::string tenant, const JobId& chain, Millis patience, Callback done);
    // Ends the wait with `stopped`, for a caller that has disconnected or lost its right to read.
    void cancel(WaitId id) { waits_.cancel(id); }

    // Wakes the callers whose chain ended in this commit.
    void committed(const Changes& changes);
    // Polls soon, after a hint that a chain might have ended on another node.
    void poll_soon();
    // Schedules a poll 2 s after the last one. The node calls this several times per second.
    void poll_again();

    void stop();

private:
    struct Wait {
        std::string tenant;
        JobId chain;
        Time deadline;
    };
    using Waits = Waiters<JobId, Wait, std::optional<AwaitedChain>>;
    using Statuses = std::vector<std::optional<Status>>;

    void poll(const Waits::Ids& ids);
    void poll_for(const Waits::Ids& ids);
    void polled(const Waits::Ids& ids, const Result<Statuses>& found);
    // Reads the whole chain, for the answer. A poll reads only the status.
    void read(WaitId id, const Wait& wait);
    void was_read(WaitId id, Result<std::optional<ChainView>> found);

    Env& env_;
    Store& store_;
    Waits waits_;
    HintedPolls polls_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
