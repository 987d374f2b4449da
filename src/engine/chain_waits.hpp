// ChainWaits: callers that wait for the end of a chain. The commit that ends the chain wakes them.
// If that commit might be another node's, one query for all of them polls the store: 50 ms after
// a hint of an end, and every 2 s, because hints can be lost.
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

// A chain as it was when the wait was over.
struct AwaitedChain {
    ChainView view;
    bool has_ended = false;  // false: the deadline came first
};

class ChainWaits {
public:
    // Nullopt: the chain does not exist. `stopped`: the wait was cancelled, or the node stops.
    using Callback = std::function<void(Result<std::optional<AwaitedChain>>)>;
    using WaitId = std::uint64_t;

    ChainWaits(Env& env, Store& store);
    ~ChainWaits() { *is_alive_ = false; }
    ChainWaits(const ChainWaits&) = delete;
    ChainWaits& operator=(const ChainWaits&) = delete;

    // Answers at once if the chain has ended.
    WaitId wait(std::string tenant, const JobId& chain, Millis patience, Callback done);
    // The caller has hung up, or lost its right to read. It is answered at once.
    void cancel(WaitId id) { waits_.cancel(id); }

    void committed(const Changes& changes);
    // A hint: a chain might have ended at another node.
    void poll_soon();
    // The node calls this several times per second.
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
    // Reads the whole chain, which only an answer needs.
    void read(WaitId id, const Wait& wait);
    void was_read(WaitId id, Result<std::optional<ChainView>> found);

    Env& env_;
    Store& store_;
    Waits waits_;
    HintedPolls polls_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
