// OutboxDrain: decides what users' own transactions left in the store's outbox. It looks when it is
// told to, and goes on until nothing is left; what met somebody else's row is tried again soon.
#pragma once

#include "engine/alarm.hpp"
#include "engine/ledger.hpp"

namespace semel {

class OutboxDrain {
public:
    OutboxDrain(Env& env, Store& store, const Settings& settings, Ledger& ledger);

    void start();
    void stop();
    void look_again();

private:
    void drain(OutboxSkips skipped);
    void drained(const Result<Reply<DrainOutbox>>& reply);

    Store& store_;
    const Settings& settings_;
    Ledger& ledger_;
    bool stopped_ = true;
    bool draining_ = false;     // INVARIANT: a command is on its way
    bool asked_again_ = false;  // while it was
    Alarm again_;
};

}  // namespace semel
