// Upkeep: what the engine does unasked. It promotes jobs whose time has come, rescues those whose
// owner is gone, and prunes what is past its retention. It never polls: it knows when the next row
// is due.
#pragma once

#include "engine/alarm.hpp"
#include "engine/ledger.hpp"

namespace semel {

class Upkeep {
public:
    Upkeep(Env& env, Store& store, const Settings& settings, Ledger& ledger);

    // Looks at the store once; from then on, commits tell what is due when.
    void start();
    void stop();

    void committed(const Changes& changes);
    // Asks the store what is due, instead of trusting what commits told.
    void look_again();

private:
    void promote();
    void rescue();
    void prune_jobs();
    void prune_claims();

    Env& env_;
    Store& store_;
    const Settings& settings_;
    Ledger& ledger_;
    bool stopped_ = true;
    bool promoting_ = false;
    bool rescuing_ = false;
    Alarm due_;
    Alarm expiry_;
    Alarm pruning_;
};

}  // namespace semel
