// Host: a Node that runs on threads of this process: a loop and a pool for handlers. `semel serve`
// and the library both use it.
//
// Threads: one controlling thread calls add_handler(), start(), drain() and stop(). Any thread may
// call the rest, but the loop's thread must not call functions that block.
// Errors of every call: `stopped` if the host does not run, `refused` inside a function that runs
// within a commit (see in_commit.hpp), otherwise the store's.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "engine/node.hpp"
#include "runtime/handler_pool.hpp"
#include "runtime/loop.hpp"
#include "runtime/real_env.hpp"
#include "runtime/zone_files.hpp"

namespace semel {

class Host {
public:
    // `observer` must outlive the host; engine/observer.hpp names its threads. `fences` is a
    // separate store for fences; null: they are in `store`.
    Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer,
         std::unique_ptr<Store> fences = nullptr);
    ~Host();  // stop(), without grace
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Registers the handler of a type. REQUIRES: start() was not called.
    void add_handler(std::string type, HandlerOptions options, HandlerFunction handler);

    // Starts the loop and the node. Call it once.
    void start();
    // Stops the node gracefully; see Node::stop. The loop still runs, so that later requests to the
    // node are answered `stopped`. Blocks. Idempotent.
    void drain(Millis grace);
    // Drains, then ends the threads. Functions posted to the node afterwards are dropped.
    // Idempotent.
    void stop(Millis grace);

    // Most functions of a node are for the loop alone: reach them through Node::post().
    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] Store& store() { return *store_; }
    [[nodiscard]] Store& fence_store() { return fences_ ? *fences_ : *store_; }

    // Submits a command, without blocking. `done` runs on the loop after the commit. If the command
    // cannot be submitted, `done` runs at once on this thread.
    template <typename Command>
    void submit(Command command, typename CommandTask<Command>::Callback done);

    // Submits a command and blocks until its commit.
    template <typename Command>
    [[nodiscard]] Result<Reply<Command>> execute(Command command);
    // Runs statements in their own commit and blocks until it is durable; see WriteTask.
    [[nodiscard]] Result<void> write(std::optional<Attempting> attempt,
                                     WriteTask::Statements statements);
    // Blocks until the chain has ended or `patience` has passed. Returns nullopt if the chain does
    // not exist.
    [[nodiscard]] Result<std::optional<AwaitedChain>> wait_for_chain(const std::string& tenant,
                                                                     const JobId& chain,
                                                                     Millis patience);
    // Returns a sealed claim that answers this request from memory, or null; see
    // Node::find_receipt. Always null within a commit.
    [[nodiscard]] std::shared_ptr<const Claim> find_receipt(const ClaimFence& command);
    // Claims a fence for an effect in this process, and blocks until the claim is decided or the
    // request's wait has passed. If the decision is `new`, the host renews the lease from then on,
    // and the caller must call end_hold() once. See FenceHolds.
    struct HeldAnswer {
        Item<FenceAnswer> answer;
        FenceHolds::HoldId hold = 0;  // set if the decision is `new`
    };
    [[nodiscard]] Result<HeldAnswer> claim_and_hold(ClaimFence command, FenceHolds::Lost lost);
    // Makes the owner's last call and ends the hold. Blocks until the commit.
    [[nodiscard]] Result<Reply<CallFence>> end_hold(FenceHolds::HoldId hold, FenceCall call);
    // Claims a fence without blocking and without a hold. `done` runs like that of submit().
    void claim_fence(ClaimFence command, const FenceWaits::Callback& done);

private:
    enum class Life { fresh, running, drained, stopped };

    // Runs a function on the loop, or returns the error of every call.
    [[nodiscard]] Result<void> post(std::function<void()> run);
    [[nodiscard]] Result<HeldAnswer> hold(Item<FenceAnswer> claimed, FenceHolds::Lost lost);

    // The order matters: the stores are destroyed before the loop, to which their threads post.
    Loop loop_;
    HandlerPool handlers_;
    ZoneFiles zones_;
    RealEnv env_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Store> fences_;  // null: fences are in store_
    Node node_;
    std::atomic<Life> life_{Life::fresh};
};

template <typename Command>
void Host::submit(Command command, typename CommandTask<Command>::Callback done) {
    const auto posted = post([this, command = std::move(command), done]() mutable {
        node_.submit(std::move(command), std::move(done));
    });
    if (!posted) {
        done(posted.error());
    }
}

template <typename Command>
Result<Reply<Command>> Host::execute(Command command) {
    std::promise<Result<Reply<Command>>> answered;
    auto answer = answered.get_future();
    submit(std::move(command),
           [&answered](Result<Reply<Command>> reply) { answered.set_value(std::move(reply)); });
    return answer.get();
}

}  // namespace semel
