// FenceHolds: the fences whose effects run in this process. Each has its lease kept by heartbeats
// until its owner's last call, which is repeated while the store fails. A stop waits for them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/env.hpp"
#include "engine/ledger.hpp"

namespace semel {

struct HeldFence {
    std::string tenant;
    ClaimId claim;
    Token token = Token::none;
    Millis lease{0};
};

class FenceHolds {
public:
    // The token is another's now, or the node does not wait any longer. Called once at most, on the
    // executor.
    using Lost = std::function<void()>;
    // `stopped`: nothing of it was stored, and the claim is left to its lease. Any other error: it
    // may have been stored.
    using Ended = std::function<void(Result<Reply<CallFence>>)>;
    using HoldId = std::uint64_t;

    FenceHolds(Env& env, Ledger& ledger) : env_(env), ledger_(ledger) {}
    ~FenceHolds();
    FenceHolds(const FenceHolds&) = delete;
    FenceHolds& operator=(const FenceHolds&) = delete;

    // Nothing: the node stops, and no effect may begin.
    [[nodiscard]] std::optional<HoldId> hold(HeldFence fence, Lost lost);
    // The owner's last call; claim and token are the hold's. Whoever holds must make it, also after
    // the hold was lost.
    void end(HoldId id, FenceCall call, Ended done);

    // Calls back when every hold has ended. After `grace`, effects that still run are told to stop
    // and left to their leases, and what the store did not take is given up.
    void stop(Millis grace, std::function<void()> done);

private:
    struct LastCall {
        FenceCall call;
        Ended done;
        std::chrono::nanoseconds give_up_at;  // monotonic
        Millis pause;                         // before the next try
        std::optional<Error> failure = {};    // of the last try; absent: one is on its way
    };
    struct Hold {
        HeldFence fence;
        Lost lost;
        std::optional<Env::TimerId> timer = {};  // of the next heartbeat, or the next try
        bool is_beating = false;                 // a heartbeat is on its way
        std::optional<LastCall> last = {};
    };

    void set_timer(HoldId id, Hold& hold);
    void beat(HoldId id);
    void beaten(HoldId id, const Result<Reply<CallFence>>& reply);
    void send(HoldId id);
    void answered(HoldId id, Result<Reply<CallFence>> reply);
    void finish(HoldId id, Result<Reply<CallFence>> reply);
    void submit(const Hold& hold, FenceCall call, Ended done);
    void clear_timer(Hold& hold);
    void end_grace();
    void check_stopped();

    Env& env_;
    Ledger& ledger_;
    HoldId last_id_ = 0;
    std::map<HoldId, Hold> holds_;
    bool stopping_ = false;
    bool grace_is_over_ = false;
    std::optional<Env::TimerId> grace_timer_;
    std::function<void()> stopped_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
