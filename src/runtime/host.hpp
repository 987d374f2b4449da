// Host: a Node running on threads of this process. What `semel serve` and the library share.
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
    // `observer` outlives the host; its functions are called on the loop's thread.
    // `fences`: where fences are kept, if not in the store with everything else.
    Host(std::unique_ptr<Store> store, NodeOptions options, Observer& observer,
         std::unique_ptr<Store> fences = nullptr);
    ~Host();  // stop(), without grace
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Before start().
    void add_handler(std::string type, HandlerOptions options, HandlerFunction handler);

    // Once.
    void start();
    // Graceful: see Node::stop. The loop stays, so that whoever still posts to the node is answered
    // `stopped`. Blocks; idempotent; for one controlling thread, as stop() is.
    void drain(Millis grace);
    // Drains, then ends the threads: what is posted to the node after that is dropped.
    void stop(Millis grace);

    // Through post(): everything else of a node is for the loop.
    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] Store& store() { return *store_; }
    [[nodiscard]] Store& fence_store() { return fences_ ? *fences_ : *store_; }

    // Submits a command on the loop; `done` runs there, or here if the host does not run.
    template <typename Command>
    void submit(Command command, typename CommandTask<Command>::Callback done);

    // For callers that can block: waits for the commit.
    template <typename Command>
    [[nodiscard]] Result<Reply<Command>> execute(Command command);
    // The same for statements of their own; see WriteTask.
    [[nodiscard]] Result<void> write(std::optional<Attempting> attempt,
                                     WriteTask::Statements statements);
    // Blocks until the chain has ended, or `patience` is over.
    [[nodiscard]] Result<std::optional<AwaitedChain>> wait_for_chain(const std::string& tenant,
                                                                     const JobId& chain,
                                                                     Millis patience);
    // A sealed claim that answers this request from memory; see Node::find_receipt.
    [[nodiscard]] std::shared_ptr<const Claim> find_receipt(const ClaimFence& command);
    // Blocks until it is decided, or the request's patience is over. It is for an effect of this
    // process: where it is new, its lease is kept from then on, and the hold must be ended. See
    // FenceHolds.
    struct HeldAnswer {
        Item<FenceAnswer> answer;
        FenceHolds::HoldId hold = 0;  // of one that is new
    };
    [[nodiscard]] Result<HeldAnswer> claim_and_hold(ClaimFence command, FenceHolds::Lost lost);
    [[nodiscard]] Result<Reply<CallFence>> end_hold(FenceHolds::HoldId hold, FenceCall call);
    // Without blocking; `done` runs on the loop, or here if the host does not run.
    void claim_fence(ClaimFence command, const FenceWaits::Callback& done);

private:
    enum class Life { fresh, running, drained, stopped };

    // Runs a function on the loop. Otherwise the reason why not.
    [[nodiscard]] Result<void> post(std::function<void()> run);
    [[nodiscard]] Result<HeldAnswer> hold(Item<FenceAnswer> told, FenceHolds::Lost lost);

    // The store goes before the loop: its threads answer to it.
    Loop loop_;
    HandlerPool handlers_;
    ZoneFiles zones_;
    RealEnv env_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Store> fences_;  // null: in the store
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
