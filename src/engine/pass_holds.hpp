// PassHolds: the passes (requests of the gateway) that this process owns. It renews their leases,
// many in one command. It commits that a request is about to be sent, and commits its end. It
// repeats a last call for 30 s while the store fails.
//
//   hold ──► dispatch ──► settle
//     │                     ▲
//     └─ was sent with the claim
//
// Errors: see Dispatch and Settled.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: `env` and `ledger` outlive it. After the destructor no callback runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/env.hpp"
#include "engine/ledger.hpp"
#include "engine/repeater.hpp"

namespace semel {

// The lease of every pass. A third of it is the time between two heartbeats.
inline constexpr Millis kPassLease = std::chrono::seconds(15);

// How long an admission or a dispatch is repeated while the store fails. The request is not sent
// yet.
inline constexpr Millis kStoreWait = std::chrono::seconds(1);

// How long the caller of a last call waits for its answer, while the store fails. The call itself
// is repeated longer (kInsistFor).
inline constexpr Millis kSettleWait = std::chrono::seconds(5);

enum class PassLoss {
    taken,    // the store refused a heartbeat: an operator or another request has one of the claims
    stopped,  // the node stops, and has ended the pass
};

// The last call of a pass. A claim without an end is kept until its lease is over.
struct PassEnding {
    std::optional<PassEnd> key = {};
    std::optional<PassEnd> guard = {};
    std::optional<KeptAnswer> answer = {};         // seal
    std::shared_ptr<const std::string> body = {};  // seal with a body
    std::string reason = {};                       // doubt
};

class PassHolds {
public:
    using HoldId = std::uint64_t;
    // Called at most once. A request that was not sent must not be sent then. A sent request
    // continues, because it cannot be called back.
    using Lost = std::function<void(PassLoss)>;
    // After `stale_token` or any error the request must not be sent.
    using Dispatch = std::function<void(Result<Reply<DispatchPass>>)>;
    // Receives the store's answer to the last call. Error `stopped`: the node has ended the pass.
    // `timeout`: there is no answer after kSettleWait, and the call is still repeated. Any other
    // error: the call may have been stored.
    using Settled = std::function<void(Result<Reply<SettlePass>>)>;

    PassHolds(Env& env, Ledger& ledger);
    ~PassHolds();
    PassHolds(const PassHolds&) = delete;
    PassHolds& operator=(const PassHolds&) = delete;

    // Starts the heartbeats of a pass that was answered `new`. Returns nullopt if the node stops:
    // the pass is released, and must not be sent.
    [[nodiscard]] std::optional<HoldId> hold(const PassAnswer& admitted, Lost lost);
    // Commits that the request is about to be sent, and renews its lease.
    void dispatch(HoldId id, Dispatch done);
    // Ends the pass and its heartbeats. Every hold needs this call once, also after `lost`.
    void settle(HoldId id, PassEnding ending, Settled done);

    // Ends a pass that was answered `new`, and of which nothing was sent.
    void let_go(const PassAnswer& admitted, std::function<void()> done);

    // Refuses new holds, and calls `done` when every pass has ended.
    // - At once: releases the passes that are not sent.
    // - After `grace`: makes sent passes without an answer uncertain. Failed last calls are not
    //   repeated.
    // A retry becomes uncertain instead of released: the attempt before it may have been executed.
    void stop(Millis grace, std::function<void()> done);

private:
    struct Hold {
        std::string tenant;
        std::optional<PassRef> key;
        std::optional<PassRef> guard;
        Lost lost;
        bool is_retry = false;                  // an attempt before this one may have left
        bool is_sent = false;                   // this attempt may have left
        std::vector<PassRef> beaten;            // the claims that are not lost
        std::chrono::nanoseconds renewed_at{};  // when the last renewal was asked for
        bool is_beating = false;                // a heartbeat has no answer yet
        bool is_dispatching = false;
        bool is_ending = false;
        Settled settled = {};                       // null: answered
        std::optional<Env::TimerId> patience = {};  // of the caller of the last call
    };
    struct Beat {
        HoldId hold = 0;
        PassRef claim;
    };

    [[nodiscard]] Hold hold_of(const PassAnswer& admitted) const;
    [[nodiscard]] static SettlePass settlement(const Hold& hold, PassEnding ending);
    [[nodiscard]] static PassEnding unsent(const Hold& hold);
    void dispatched(HoldId id, std::chrono::nanoseconds asked_at, Result<Reply<DispatchPass>> reply,
                    const Dispatch& done);
    void set_timer();
    void beat();
    void send_beats(std::vector<Beat> beats);
    void beaten(const std::vector<Beat>& beats, const Result<Reply<BeatPasses>>& reply);
    void lose(HoldId id, const PassRef& claim);
    void end(HoldId id, PassEnding ending, Settled done);
    void answer_end(HoldId id, Result<Reply<SettlePass>> reply);
    void end_by_stop(HoldId id);
    void end_grace();
    void check_stopped();
    [[nodiscard]] std::vector<HoldId> ids() const;

    Env& env_;
    Ledger& ledger_;
    Repeater<DispatchPass> dispatches_;
    Repeater<SettlePass> settles_;
    HoldId last_id_ = 0;
    std::map<HoldId, Hold> holds_;
    std::optional<Env::TimerId> timer_;  // of the next heartbeat
    bool stopping_ = false;
    std::optional<Env::TimerId> grace_timer_;
    std::function<void()> stopped_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
