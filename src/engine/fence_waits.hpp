// FenceWaits: claims of fences, and callers that wait for a key in use. See HoldWaits.
#pragma once

#include "engine/hold_waits.hpp"

namespace semel {

class FenceWaits : public HoldWaits<ClaimFence> {
public:
    FenceWaits(Env& env, Store& store, Ledger& ledger);
};

}  // namespace semel
