// Node: one engine on one store, or on two if fences have a separate store. It owns the ledgers and
// all parts that use them, and passes each commit to those parts.
//
// Errors: commands are answered `overloaded` while the queue is full, and `stopped` after stop().
// Threads: the executor of `env`, for calls and callbacks. Only post(), find_receipt() and the
// accessors store(), fence_store(), has_one_store(), settings() and observer() are thread-safe.
// Lifetime: `env` and the stores outlive the node.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/body_reads.hpp"
#include "engine/bulk_runner.hpp"
#include "engine/chain_waits.hpp"
#include "engine/decision_log.hpp"
#include "engine/dispatcher.hpp"
#include "engine/fence_holds.hpp"
#include "engine/fence_waits.hpp"
#include "engine/ledger.hpp"
#include "engine/local_worker.hpp"
#include "engine/outbox_drain.hpp"
#include "engine/pass_holds.hpp"
#include "engine/pass_waits.hpp"
#include "engine/receipt_cache.hpp"
#include "engine/upkeep.hpp"

namespace semel {

struct NodeOptions {
    std::string name = "semel";  // name of the local worker in an attempt's history
    int concurrency = 64;        // local handlers that run at the same time
    // A step of a bulk run shares its commit with waiting commands, and must stay the smaller part.
    int bulk_step = 200;  // actions
    Settings settings;
};

// True for commands about a claim of any space, which can be in the main store or the fence store.
template <typename Command>
inline constexpr bool kIsAboutAnyClaim =
    std::is_same_v<Command, ResolveClaim> || std::is_same_v<Command, DeleteClaim>;

class Node {
public:
    // `fences`: the store of fences. Null: the main store has them too.
    Node(Env& env, Store& store, NodeOptions options, Store* fences = nullptr);

    // Call add_handler() before start().
    void add_handler(std::string type, HandlerOptions options);
    // Adds a function for a part that caches rows of the store. It runs on the executor when
    // another node might have changed something, and periodically. Call on_poll() before start().
    void on_poll(std::function<void()> poll) { polls_.push_back(std::move(poll)); }
    void start();

    // Stops in this order, then calls `done`. No acknowledged commit is lost.
    // - Waiting claims of jobs get an empty answer. Waits for chains, fences and passes get
    //   `stopped`. Passes that are not sent are released.
    // - Local handlers and effects under a fence can end within `grace`. After that the node
    //   releases the jobs of the other handlers, leaves the other fences to their leases, and
    //   doubts the passes that are sent and have no answer.
    // - The node writes its counts and answers the commands in its queue.
    void stop(Millis grace, std::function<void()> done);

    // Submits a command. If the queue is full, `done` receives `overloaded` at once. The engine's
    // own commands are never refused.
    template <typename Command>
    void submit(Command command, typename CommandTask<Command>::Callback done) {
        admit(ledger_of<Command>(),
              std::make_unique<CommandTask<Command>>(std::move(command), std::move(done)));
    }

    // Submits a command and answers the bytes for the caller. With a guard the same commit seals
    // the bytes under the caller's Idempotency-Key. The guard is ignored if its claim is in another
    // store than the rows that the command changes: no commit spans both stores. Repeated fence
    // calls return the same answer without a guard.
    template <typename Command>
    void submit_rendered(Command command, std::optional<IdempotencyGuard> guard,
                         typename RenderedTask<Command>::Render render,
                         typename RenderedTask<Command>::Callback done) {
        if constexpr (kIsAboutAnyClaim<Command>) {
            if (!has_one_store()) {
                submit_to_either(std::move(command), std::move(guard), std::move(render),
                                 std::move(done));
                return;
            }
        }
        Ledger& ledger = ledger_of<Command>();
        if (&ledger != &ledger_) {
            guard.reset();
        }
        admit(ledger, std::make_unique<RenderedTask<Command>>(std::move(command), std::move(guard),
                                                              std::move(render), std::move(done)));
    }

    // Runs the caller's statements in a separate commit. With `attempt`, they run only while the
    // attempt has its job. See WriteTask.
    void submit_writes(std::optional<Attempting> attempt, WriteTask::Statements statements,
                       Done<void> done) {
        admit(ledger_, std::make_unique<WriteTask>(std::move(attempt), std::move(statements),
                                                   std::move(done)));
    }

    // Claims jobs, and waits for some as long as the request says. See Dispatcher.
    Dispatcher::PollerId claim(ClaimRequest request, Dispatcher::Callback done) {
        return dispatcher_.claim(std::move(request), std::move(done));
    }
    // Ends a claim of jobs whose client has disconnected.
    void cancel_claim(Dispatcher::PollerId id) { dispatcher_.cancel(id); }

    // Waits for the end of a chain, for `patience` at most. See ChainWaits.
    ChainWaits::WaitId wait_for_chain(std::string tenant, const JobId& chain, Millis patience,
                                      ChainWaits::Callback done) {
        return chain_waits_.wait(std::move(tenant), chain, patience, std::move(done));
    }
    void cancel_wait(ChainWaits::WaitId id) { chain_waits_.cancel(id); }

    // Returns the claim of a sealed fence if its receipt in memory answers this request, and counts
    // the request. Returns null if the caller must use claim_fence(). Thread-safe.
    [[nodiscard]] std::shared_ptr<const Claim> find_receipt(const ClaimFence& command);
    // Claims a fence and waits for its owner as long as the request says. If the receipt is in
    // memory, or the queue is full, `done` is called before this returns 0.
    FenceWaits::WaitId claim_fence(ClaimFence command, FenceWaits::Callback done);
    void cancel_fence_claim(FenceWaits::WaitId id) { fence_waits_.cancel(id); }
    // Keeps the lease of a fence while its effect runs in this process. See FenceHolds.
    [[nodiscard]] std::optional<FenceHolds::HoldId> hold_fence(HeldFence fence,
                                                               FenceHolds::Lost lost) {
        return fence_holds_.hold(std::move(fence), std::move(lost));
    }
    void end_hold(FenceHolds::HoldId id, FenceCall call, FenceHolds::Ended done) {
        fence_holds_.end(id, std::move(call), std::move(done));
    }

    // Admits a request of the gateway under its claims, and waits for another one as long as the
    // request says. The lease is the node's. If the queue is full, `done` is called before this
    // returns 0. See PassWaits.
    PassWaits::WaitId admit_pass(AdmitPass command, PassWaits::Callback done);
    void hang_up_pass(PassWaits::WaitId id) { pass_waits_.hang_up(id); }
    // Owns an admitted request until its last call. See PassHolds.
    [[nodiscard]] std::optional<PassHolds::HoldId> hold_pass(const PassAnswer& admitted,
                                                             PassHolds::Lost lost) {
        return pass_holds_.hold(admitted, std::move(lost));
    }
    void dispatch_pass(PassHolds::HoldId id, PassHolds::Dispatch done) {
        pass_holds_.dispatch(id, std::move(done));
    }
    void settle_pass(PassHolds::HoldId id, PassEnding ending, PassHolds::Settled done) {
        pass_holds_.settle(id, std::move(ending), std::move(done));
    }

    // Reads the body of a kept answer. See BodyReads.
    void read_body(const Uuid& response, BodyReads::Callback done) {
        body_reads_.read(response, std::move(done));
    }

    // Runs due jobs of the local handlers until none is left or `limit` attempts have ended. Then
    // it deletes rows past their retention.
    struct ProcessedWork {
        RoundReport round;
        std::int64_t deleted = 0;
    };
    void process_due(int limit, const Done<ProcessedWork>& done);

    // Returns true if a worker in this process, over HTTP or on another node runs jobs of this
    // lane.
    [[nodiscard]] bool has_worker(const Lane& lane) const {
        return local_.handles(lane.second) || dispatcher_.has_worker(lane) ||
               store_.has_worker_elsewhere(lane);
    }

    // Thread-safe.
    bool post(std::function<void()> run) { return env_.post(std::move(run)); }
    [[nodiscard]] Store& store() { return store_; }
    // The store with the claims of fences, by default the main store.
    [[nodiscard]] Store& fence_store() { return fence_store_; }
    // Returns true if fences are in the main store.
    [[nodiscard]] bool has_one_store() const { return &fence_store_ == &store_; }
    [[nodiscard]] const Settings& settings() const { return options_.settings; }
    [[nodiscard]] Observer& observer() { return env_.observer(); }

private:
    template <typename Command>
    [[nodiscard]] Ledger& ledger_of() {
        constexpr bool kIsOfFences = std::is_same_v<Command, ClaimFence> ||
                                     std::is_same_v<Command, CallFence> ||
                                     kIsAboutAnyClaim<Command>;
        return kIsOfFences ? fences_ : ledger_;
    }
    // Submits to the fence store first, and to the main store if the claim is not found there.
    template <typename Command>
    void submit_to_either(Command command, std::optional<IdempotencyGuard> guard,
                          typename RenderedTask<Command>::Render render,
                          typename RenderedTask<Command>::Callback done);
    static void admit(Ledger& ledger, std::unique_ptr<Task> task);
    [[nodiscard]] CommitStream::Listeners fence_listeners();
    void recorded(const Changes& changes);
    void committed(const Changes& changes);
    // Lets all parts query the store again: a commit with an unknown result might have made jobs
    // ready, or added leases and due times.
    void commit_unknown();
    void poll_again();
    // Lets the waits query the store, after a hint that another node ended a chain or a hold.
    void poll_ends();
    // Publishes the workers of this node to other nodes.
    void tell_workers();

    Env& env_;
    Store& store_;
    Store& fence_store_;
    NodeOptions options_;
    ReceiptCache receipts_;
    Ledger ledger_;
    std::unique_ptr<Ledger> own_fences_;  // null: the main store has the fences
    Ledger& fences_;
    Dispatcher dispatcher_;
    ChainWaits chain_waits_;
    FenceWaits fence_waits_;
    FenceHolds fence_holds_;
    PassHolds pass_holds_;
    PassWaits pass_waits_;
    BodyReads body_reads_;
    LocalWorker local_;
    Upkeep upkeep_;
    OutboxDrain outbox_;
    BulkRunner bulk_;
    DecisionLog log_;
    std::vector<std::function<void()>> polls_;
    Time next_tell_;  // when other nodes next receive this node's workers
};

template <typename Command>
void Node::submit_to_either(Command command, std::optional<IdempotencyGuard> guard,
                            typename RenderedTask<Command>::Render render,
                            typename RenderedTask<Command>::Callback done) {
    const auto is_missing = std::make_shared<bool>(false);
    auto first_render = [render, is_missing](const Reply<Command>& reply) {
        const auto* problem = std::get_if<Problem>(&reply);
        *is_missing = problem != nullptr && problem->code == ProblemCode::not_found;
        return *is_missing ? Receipt() : render(reply);
    };
    auto first_done = [this, command, guard = std::move(guard), render = std::move(render),
                       done = std::move(done), is_missing](Result<Rendered> rendered) mutable {
        if (!rendered || !*is_missing) {
            done(std::move(rendered));
            return;
        }
        admit(ledger_, std::make_unique<RenderedTask<Command>>(std::move(command), std::move(guard),
                                                               std::move(render), std::move(done)));
    };
    admit(fences_,
          std::make_unique<RenderedTask<Command>>(std::move(command), std::nullopt,
                                                  std::move(first_render), std::move(first_done)));
}

}  // namespace semel
