// FenceWaits: claims fences, and lets callers wait for a key that another owner holds. Errors,
// threads and lifetime: see HoldWaits.
#pragma once

#include "engine/hold_waits.hpp"

namespace semel {

class FenceWaits : public HoldWaits<ClaimFence> {
public:
    FenceWaits(Env& env, Store& store, Ledger& ledger);
};

}  // namespace semel
