// PassWaits: admits passes (requests of the gateway). A pass that meets another one in flight is
// parked on the claim that prevents it. The commit that seals this claim answers it, if the answer
// changes no row. See HoldWaits.
//
// An admission is repeated for 1 s while the store fails, because a repeat has the same answer.
//
// Errors: `commit_unknown` if the admission may have been committed. PassHolds then ends it in the
// background. `stopped`: the caller has disconnected, or the node stops. After these and any other
// error the caller owns nothing.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: all arguments of the constructor outlive it. After the destructor no callback runs.
#pragma once

#include <functional>
#include <memory>

#include "engine/hold_waits.hpp"
#include "engine/pass_holds.hpp"
#include "engine/repeater.hpp"

namespace semel {

class PassWaits {
public:
    using Callback = HoldWaits<AdmitPass>::Callback;
    using WaitId = HoldWaits<AdmitPass>::WaitId;
    // Receives the log entry of each request that was answered without a command.
    using Replayed = std::function<void(const DecisionEntry&)>;

    // `holds` ends passes that were admitted after their caller had disconnected.
    PassWaits(Env& env, Store& store, Ledger& ledger, PassHolds& holds, Replayed replayed);

    // Waits as long as the request says, then answers `in_flight`. A pass that is answered `new`
    // must be given to PassHolds in the callback.
    WaitId admit(AdmitPass command, Callback done);
    // Answers `stopped`, because the caller has disconnected. The caller owns nothing. Does nothing
    // if the admission is answered already.
    void hang_up(WaitId id) { waits_.cancel(id); }

    void committed(const Changes& changes) { waits_.committed(changes); }
    void poll_soon() { waits_.poll_soon(); }
    void poll_again() { waits_.poll_again(); }

    // Answers every waiting caller `stopped`. Calls `done` when all abandoned admissions have
    // ended.
    void stop(std::function<void()> done);

private:
    [[nodiscard]] std::optional<PassAnswer> replay(const AdmitPass& command,
                                                   const std::shared_ptr<const Claim>& left);
    void let_go(const PassAnswer& answer);
    void abandon(AdmitPass command);
    void ended();
    void check_stopped();

    Store& store_;
    PassHolds& holds_;
    const Replayed replayed_;
    int being_let_go_ = 0;
    std::function<void()> stopped_;
    Repeater<AdmitPass> abandoned_;
    HoldWaits<AdmitPass> waits_;
};

}  // namespace semel
