// Node: one engine on one store. Everything here is for the executor of its Env; `post` is the way
// in from other threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/bulk_runner.hpp"
#include "engine/chain_waits.hpp"
#include "engine/decision_log.hpp"
#include "engine/dispatcher.hpp"
#include "engine/fence_holds.hpp"
#include "engine/fence_waits.hpp"
#include "engine/ledger.hpp"
#include "engine/local_worker.hpp"
#include "engine/outbox_drain.hpp"
#include "engine/receipt_cache.hpp"
#include "engine/upkeep.hpp"

namespace semel {

struct NodeOptions {
    std::string name = "semel";  // of its local worker, as history shows it
    int concurrency = 64;        // of local handlers
    // A step of a bulk run shares its commit with whatever else waits: it must not be the larger
    // part.
    int bulk_step = 200;  // actions
    Settings settings;
};

// Of the claims of any space, which may lie in either of two stores.
template <typename Command>
inline constexpr bool kIsAboutAnyClaim =
    std::is_same_v<Command, ResolveClaim> || std::is_same_v<Command, DeleteClaim>;

class Node {
public:
    // `fences`: where fences are kept, if not in the store with everything else.
    Node(Env& env, Store& store, NodeOptions options, Store* fences = nullptr);

    // Handlers come before start().
    void add_handler(std::string type, HandlerOptions options);
    // Called on the executor whenever another node may have changed something, and every so often:
    // for those who keep in memory what the store has. Before start().
    void on_look(std::function<void()> look) { looks_.push_back(std::move(look)); }
    void start();

    // Answers those who wait, lets local handlers and effects under a fence end within `grace`,
    // releases the other handlers' jobs and leaves the other fences to their leases, writes what is
    // left to write, then calls back. Nothing acknowledged is lost.
    void stop(Millis grace, std::function<void()> done);

    // A full queue answers `overloaded` at once; the engine's own commands are never refused.
    template <typename Command>
    void submit(Command command, typename CommandTask<Command>::Callback done) {
        admit(ledger_of<Command>(),
              std::make_unique<CommandTask<Command>>(std::move(command), std::move(done)));
    }

    // Answers the bytes for the caller; with a guard they are sealed under its Idempotency-Key. One
    // that lies in the other store than what the command changes is not used: no commit spans both,
    // and calls of a fence answer their repeats by themselves.
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

    // Statements of a caller's own in a commit of their own; with an attempt, only while it has its
    // job. See WriteTask.
    void submit_writes(std::optional<Attempting> attempt, WriteTask::Statements statements,
                       Done<void> done) {
        admit(ledger_, std::make_unique<WriteTask>(std::move(attempt), std::move(statements),
                                                   std::move(done)));
    }

    Dispatcher::PollerId claim(ClaimRequest request, Dispatcher::Callback done) {
        return dispatcher_.claim(std::move(request), std::move(done));
    }
    // Whoever asked is gone: it gets no work any more.
    void cancel_claim(Dispatcher::PollerId id) { dispatcher_.cancel(id); }

    // Waits for a chain's end.
    ChainWaits::WaitId wait_for_chain(std::string tenant, const JobId& chain, Millis patience,
                                      ChainWaits::Callback done) {
        return chain_waits_.wait(std::move(tenant), chain, patience, std::move(done));
    }
    void cancel_wait(ChainWaits::WaitId id) { chain_waits_.cancel(id); }

    // The claim of a sealed fence whose receipt answers this request from memory; the request is
    // counted. Null: it is for claim_fence. On any thread.
    [[nodiscard]] std::shared_ptr<const Claim> find_receipt(const ClaimFence& command);
    // Claims a fence, and waits for its owner as long as the request says. A repeat of one that is
    // sealed may be told from memory, before this returns.
    FenceWaits::WaitId claim_fence(ClaimFence command, FenceWaits::Callback done);
    void cancel_fence_claim(FenceWaits::WaitId id) { fence_waits_.cancel(id); }
    // Keeps the lease of a fence while its effect runs in this process; see FenceHolds.
    [[nodiscard]] std::optional<FenceHolds::HoldId> hold_fence(HeldFence fence,
                                                               FenceHolds::Lost lost) {
        return fence_holds_.hold(std::move(fence), std::move(lost));
    }
    void end_hold(FenceHolds::HoldId id, FenceCall call, FenceHolds::Ended done) {
        fence_holds_.end(id, std::move(call), std::move(done));
    }

    // Runs due work of the local handlers until none is left or `limit` attempts have ended, then
    // deletes what is past its retention.
    struct ProcessedWork {
        RoundReport round;
        std::int64_t deleted = 0;
    };
    void process_due(int limit, const Done<ProcessedWork>& done);

    // Whether anyone, in this process, over HTTP or at another node, does work of this lane.
    [[nodiscard]] bool has_worker(const Lane& lane) const {
        return local_.handles(lane.second) || dispatcher_.has_worker(lane) ||
               store_.has_worker_elsewhere(lane);
    }

    // Thread-safe.
    bool post(std::function<void()> run) { return env_.post(std::move(run)); }
    [[nodiscard]] Store& store() { return store_; }
    // Where the claims of fences are; mostly the same.
    [[nodiscard]] Store& fence_store() { return fence_store_; }
    // Whether it is the same.
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
    // First where fences are; and where everything else is, if there is no such claim.
    template <typename Command>
    void submit_to_either(Command command, std::optional<IdempotencyGuard> guard,
                          typename RenderedTask<Command>::Render render,
                          typename RenderedTask<Command>::Callback done);
    static void admit(Ledger& ledger, std::unique_ptr<Task> task);
    [[nodiscard]] CommitLine::Listeners fence_listeners();
    void recorded(const Changes& changes);
    void committed(const Changes& changes);
    // A commit whose fate is not known may have made work, leases and due times: look again.
    void commit_unknown();
    void look_again();
    void look_at_ends();
    void tell_workers();

    Env& env_;
    Store& store_;
    Store& fence_store_;
    NodeOptions options_;
    ReceiptCache receipts_;
    Ledger ledger_;
    std::unique_ptr<Ledger> own_fences_;  // null: fences are in the store with everything else
    Ledger& fences_;
    Dispatcher dispatcher_;
    ChainWaits chain_waits_;
    FenceWaits fence_waits_;
    FenceHolds fence_holds_;
    LocalWorker local_;
    Upkeep upkeep_;
    OutboxDrain outbox_;
    BulkRunner bulk_;
    DecisionLog log_;
    std::vector<std::function<void()>> looks_;
    Time next_tell_;  // of the workers, to other nodes
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
