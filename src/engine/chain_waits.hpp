// ChainWaits: those who wait for the end of a chain. Each is woken by the commit that ends it, or,
// where that may have been another node's, by a look at the store: one for all of them, when the
// store hints at an end, and every few seconds, because hints may be lost.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/hinted_looks.hpp"
#include "store/store.hpp"

namespace semel {

// A chain as it was when the wait was over.
struct AwaitedChain {
    ChainView view;
    bool has_ended = false;  // false: the deadline came first
};

class ChainWaits {
public:
    // Nothing: there is no such chain. `stopped`: the wait was cancelled, or the node stops.
    using Callback = std::function<void(Result<std::optional<AwaitedChain>>)>;
    using WaitId = std::uint64_t;

    ChainWaits(Env& env, Store& store);
    ~ChainWaits();
    ChainWaits(const ChainWaits&) = delete;
    ChainWaits& operator=(const ChainWaits&) = delete;

    // A chain that has ended is answered at once.
    WaitId wait(std::string tenant, const JobId& chain, Millis patience, Callback done);
    // Whoever asked is gone, or may not ask any more.
    void cancel(WaitId id);

    void committed(const Changes& changes);
    // A chain may have ended elsewhere.
    void look_soon();
    // To be called every so often.
    void look_again();

    void stop();

private:
    struct Waiter;

    void look(const std::vector<Waiter*>& waiters);
    void looked(WaitId id, const Result<std::optional<Status>>& found);
    // All of it, which is only read to be answered.
    void read(Waiter& waiter);
    void was_read(WaitId id, Result<std::optional<ChainView>> found);
    // Null: cancelled while it looked.
    [[nodiscard]] Waiter* back_from_look(WaitId id);
    void go_on(Waiter& waiter);
    void park(Waiter& waiter);
    void wake(const JobId& chain);
    void wake(const std::vector<Waiter*>& waiters);
    void look_at_all();
    void answer(WaitId id, Result<std::optional<AwaitedChain>> outcome);

    Env& env_;
    Store& store_;
    bool stopped_ = false;
    WaitId last_id_ = 0;
    std::map<WaitId, std::unique_ptr<Waiter>> waiters_;
    std::map<JobId, std::set<WaitId>> chains_;  // who waits for which
    HintedLooks looks_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
