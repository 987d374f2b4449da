// FenceHolds: the fences whose effects run in this process. Each has its lease kept by heartbeats,
// until it is ended or somebody else owns it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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
    // The token is another's now. Called once, on the executor.
    using Lost = std::function<void()>;
    using HoldId = std::uint64_t;

    FenceHolds(Env& env, Ledger& ledger) : env_(env), ledger_(ledger) {}
    ~FenceHolds();
    FenceHolds(const FenceHolds&) = delete;
    FenceHolds& operator=(const FenceHolds&) = delete;

    HoldId hold(HeldFence fence, Lost lost);
    // Before the owner's last call. One that was lost is ended already.
    void end(HoldId id);
    void stop();

private:
    struct Hold {
        HeldFence fence;
        Lost lost;
        Env::TimerId timer = 0;
    };

    void set_timer(HoldId id, Hold& hold);
    void beat(HoldId id);
    void beaten(HoldId id, const Result<Reply<CallFence>>& reply);

    Env& env_;
    Ledger& ledger_;
    HoldId last_id_ = 0;
    std::map<HoldId, Hold> holds_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
