// OutboxDrain: decides the entries that users' transactions added to the store's outbox, batch by
// batch until none is left. An entry that met a row locked elsewhere is tried again after 50 ms.
//
// Errors: if the store fails, the drain tries again after 500 ms.
// Threads: the engine's executor.
// Lifetime: all arguments of the constructor outlive it.
#pragma once

#include "engine/alarm.hpp"
#include "engine/ledger.hpp"

namespace semel {

class OutboxDrain {
public:
    OutboxDrain(Env& env, Store& store, const Settings& settings, Ledger& ledger);

    void start();
    void stop();
    // Drains the outbox now, or again after the commit that is running.
    void poll_again();

private:
    void drain(OutboxSkips skipped);
    void drained(const Result<Reply<DrainOutbox>>& reply);

    Store& store_;
    const Settings& settings_;
    Ledger& ledger_;
    bool stopped_ = true;
    bool draining_ = false;     // INVARIANT: true exactly while a command has no answer
    bool asked_again_ = false;  // poll_again() was called meanwhile
    Alarm again_;
};

}  // namespace semel
