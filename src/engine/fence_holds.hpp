// FenceHolds: renews the leases of fences whose effects run in this process. It sends a heartbeat
// every third of the lease until the owner's last call (seal, release, …). It repeats the last call
// for up to 30 s while the store fails.
//
// Errors: see Ended.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: `env` and `ledger` outlive it. After the destructor no callback runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/env.hpp"
#include "engine/ledger.hpp"
#include "engine/repeater.hpp"

namespace semel {

struct HeldFence {
    std::string tenant;
    ClaimId claim;
    Token token = Token::none;
    Millis lease{0};
};

class FenceHolds {
public:
    // Called at most once, in one of two cases:
    // - The store refused a heartbeat, so another owner may have the claim.
    // - The node stops, and its grace is over.
    using Lost = std::function<void()>;
    // Receives the store's answer to the last call. Error `stopped`: nothing was stored, and the
    // lease runs out. Any other error: the call may have been stored.
    using Ended = std::function<void(Result<Reply<CallFence>>)>;
    using HoldId = std::uint64_t;

    FenceHolds(Env& env, Ledger& ledger) : env_(env), ledger_(ledger), last_calls_(env, ledger) {}
    ~FenceHolds();
    FenceHolds(const FenceHolds&) = delete;
    FenceHolds& operator=(const FenceHolds&) = delete;

    // Starts the heartbeats. Returns nullopt if the node stops: the effect must not begin.
    [[nodiscard]] std::optional<HoldId> hold(HeldFence fence, Lost lost);
    // Sends the owner's last call with the claim and token of the hold, and ends the heartbeats.
    // Every hold needs this call, also after `lost`.
    void end(HoldId id, FenceCall call, Ended done);

    // Refuses new holds, and calls `done` when every hold has ended. After `grace`, it calls `lost`
    // for effects that still run and leaves them to their leases. Last calls that failed are not
    // retried.
    void stop(Millis grace, std::function<void()> done);

private:
    struct Hold {
        HeldFence fence;
        Lost lost;
        std::optional<Env::TimerId> timer = {};  // of the next heartbeat
        bool is_beating = false;                 // a heartbeat has no answer yet
        bool is_ending = false;                  // the last call has no answer yet
    };

    void set_timer(HoldId id, Hold& hold);
    void beat(HoldId id);
    void beaten(HoldId id, const Result<Reply<CallFence>>& reply);
    [[nodiscard]] static CallFence command_of(const Hold& hold, FenceCall call);
    void clear_timer(Hold& hold);
    void end_grace();
    void check_stopped();

    Env& env_;
    Ledger& ledger_;
    Repeater<CallFence> last_calls_;
    HoldId last_id_ = 0;
    std::map<HoldId, Hold> holds_;
    bool stopping_ = false;
    std::optional<Env::TimerId> grace_timer_;
    std::function<void()> stopped_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
