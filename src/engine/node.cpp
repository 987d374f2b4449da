#include "engine/node.hpp"

#include "base/crash_point.hpp"
#include "core/keys/replay.hpp"

namespace semel {
namespace {

constexpr Millis kTellWorkersEvery = Millis(400);  // other nodes read it twice a second
// How long other nodes count on the handlers of this process. Matters only if the process dies.
constexpr Millis kHandlersKnown = std::chrono::seconds(90);

Error too_many() {
    return {ErrorCode::overloaded, "too many commands are waiting"};
}

}  // namespace

Node::Node(Env& env, Store& store, NodeOptions options, Store* fences)
    : env_(env),
      store_(store),
      fence_store_(fences != nullptr ? *fences : store),
      options_(std::move(options)),
      receipts_(env, fence_store_, options_.settings.receipts_in_memory,
                [this] { env_.post([this] { log_.served_some(); }); }),
      ledger_(env, store, options_.settings,
              {.recorded = [this](const Changes& changes) { recorded(changes); },
               .committed = [this](const Changes& changes) { committed(changes); },
               .postponed = [this] { outbox_.poll_again(); },
               .unknown = [this] { commit_unknown(); }}),
      own_fences_(has_one_store() ? nullptr
                                  : std::make_unique<Ledger>(env, fence_store_, options_.settings,
                                                             fence_listeners())),
      fences_(own_fences_ != nullptr ? *own_fences_ : ledger_),
      dispatcher_(env, store, ledger_),
      chain_waits_(env, store),
      fence_waits_(env, fence_store_, fences_),
      fence_holds_(env, fences_),
      pass_holds_(env, ledger_),
      pass_waits_(env, store, ledger_, pass_holds_,
                  [this](const DecisionEntry& entry) { log_.repeated(entry); }),
      body_reads_(env, store),
      local_(env, ledger_, options_.settings, options_.name, options_.concurrency),
      upkeep_(env, store, options_.settings, ledger_, fences_),
      outbox_(env, store, options_.settings, ledger_),
      bulk_(env, store, ledger_, options_.bulk_step),
      log_(env, ledger_, fences_, receipts_) {}

// Returns the listeners for commits of the fence store. Their decisions go to the main store's log.
CommitStream::Listeners Node::fence_listeners() {
    return {.recorded =
                [this](const Changes& changes) {
                    receipts_.recorded(changes);
                    env_.observer().on_committed(StoreRole::fences, changes);
                    log_.committed_elsewhere(changes);
                },
            .committed = [this](const Changes& changes) { fence_waits_.committed(changes); },
            .postponed = [] {},
            .unknown =
                [this] {
                    receipts_.forget_all();
                    fence_waits_.poll_soon();
                },
            .store = StoreRole::fences};
}

void Node::add_handler(std::string type, HandlerOptions options) {
    if (options.timeout <= Millis(0)) {
        options.timeout = options_.settings.default_timeout;
    }
    local_.add_handler(std::move(type), options);
}

void Node::start() {
    upkeep_.start();
    outbox_.start();
    local_.start();
    bulk_.start();
    store_.watch([this] { env_.post([this] { poll_again(); }); });
    store_.watch_ends([this] { env_.post([this] { poll_ends(); }); });
    if (!has_one_store()) {
        fence_store_.watch([this] { env_.post([this] { fence_waits_.poll_again(); }); });
        fence_store_.watch_ends([this] { env_.post([this] { fence_waits_.poll_soon(); }); });
    }
    SEMEL_CRASH_POINT(engine_started);
}

void Node::stop(Millis grace, std::function<void()> done) {
    SEMEL_CRASH_POINT(stop_begun);
    store_.watch(nullptr);
    store_.watch_ends(nullptr);
    if (!has_one_store()) {
        fence_store_.watch(nullptr);
        fence_store_.watch_ends(nullptr);
    }
    dispatcher_.stop();
    chain_waits_.stop();
    fence_waits_.stop();
    receipts_.stop();  // receipts served after the last flush would not be counted
    const auto worked = [this, at_work = std::make_shared<int>(4), done = std::move(done)] {
        if (--*at_work > 0) {
            return;
        }
        SEMEL_CRASH_POINT(stop_worked);
        upkeep_.stop();
        outbox_.stop();
        bulk_.stop();
        log_.flush_and_count();
        const auto close = [this, done] {
            log_.flush();  // the entries of the last commits of fences
            ledger_.close(done);
        };
        if (has_one_store()) {
            close();
        } else {
            fences_.close(close);
        }
    };
    local_.stop(grace, worked);
    fence_holds_.stop(grace, worked);
    pass_waits_.stop(worked);
    pass_holds_.stop(grace, worked);
}

void Node::admit(Ledger& ledger, std::unique_ptr<Task> task) {
    if (ledger.is_full()) {
        task->answer(too_many());
    } else {
        ledger.submit(std::move(task));
    }
}

FenceWaits::WaitId Node::claim_fence(ClaimFence command, FenceWaits::Callback done) {
    if (auto receipt = find_receipt(command)) {
        done(Item<FenceAnswer>(replayed(std::move(receipt))));
        return 0;
    }
    if (fences_.is_full()) {
        done(too_many());
        return 0;
    }
    const ReceiptCache::Ticket ticket = receipts_.ask(command.request.claim);
    return fence_waits_.claim(std::move(command), [this, ticket, done = std::move(done)](
                                                      Result<Item<FenceAnswer>> claimed) {
        receipts_.answered(ticket, claimed);
        done(std::move(claimed));
    });
}

PassWaits::WaitId Node::admit_pass(AdmitPass command, PassWaits::Callback done) {
    if (ledger_.is_full()) {
        done(too_many());
        return 0;
    }
    command.request.lease = kPassLease;
    return pass_waits_.admit(std::move(command), std::move(done));
}

std::shared_ptr<const Claim> Node::find_receipt(const ClaimFence& command) {
    auto claim = receipts_.find(command);
    if (claim != nullptr) {
        env_.observer().on_replay();
    }
    return claim;
}

void Node::process_due(int limit, const Done<ProcessedWork>& done) {
    upkeep_.promote_all([this, limit, done](const Result<std::int64_t>& promoted) {
        if (!promoted) {
            done(promoted.error());
            return;
        }
        local_.work_round(limit, [this, done](const RoundReport& round) {
            upkeep_.prune([round, done](const Result<std::int64_t>& deleted) {
                if (deleted) {
                    done(ProcessedWork{round, *deleted});
                } else {
                    done(deleted.error());
                }
            });
        });
    });
}

void Node::commit_unknown() {
    receipts_.forget_all();  // it may have ended any of them
    poll_again();
    poll_ends();
}

void Node::poll_ends() {
    chain_waits_.poll_soon();
    fence_waits_.poll_soon();
    pass_waits_.poll_soon();
}

void Node::poll_again() {
    upkeep_.poll_again();
    outbox_.poll_again();
    local_.poll_again();
    dispatcher_.poll_again();
    chain_waits_.poll_again();
    fence_waits_.poll_again();
    pass_waits_.poll_again();
    bulk_.poll_again();
    for (const auto& poll : polls_) {
        poll();
    }
    tell_workers();
}

void Node::tell_workers() {
    const Time now = store_.now();
    if (now < next_tell_) {
        return;
    }
    next_tell_ = now + kTellWorkersEvery;
    KnownWorkers workers = dispatcher_.known_workers();
    for (const std::string& type : local_.types()) {
        workers[{"", type}] = now + kHandlersKnown;
    }
    store_.tell_workers(workers);
}

// Runs before the replies: a caller that has its answer finds it counted, and finds no outdated
// receipt in memory.
void Node::recorded(const Changes& changes) {
    receipts_.recorded(changes);
    for (const auto& change : changes.jobs) {
        const bool started = change.after && change.after->lease &&
                             (!change.before || change.before->token != change.after->token);
        if (started) {
            env_.observer().on_started(*change.after,
                                       *change.after->started_at - change.after->scheduled_at);
        }
    }
    env_.observer().on_committed(StoreRole::main, changes);
    log_.committed(changes);
}

void Node::committed(const Changes& changes) {
    dispatcher_.committed(changes);
    chain_waits_.committed(changes);
    fence_waits_.committed(changes);
    pass_waits_.committed(changes);
    local_.committed(changes);
    upkeep_.committed(changes);
    bulk_.committed(changes);
}

}  // namespace semel
