// Upkeep: what the engine does unasked. It promotes jobs whose time has come, rescues those whose
// owner is gone, tells those who wait for a chain that it will not complete, and prunes what is
// past its retention. It never polls: it knows when the next row is due.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/alarm.hpp"
#include "engine/ledger.hpp"

namespace semel {

class Upkeep {
public:
    // `fences`: the ledger that has the claims of fences; mostly the same.
    Upkeep(Env& env, Store& store, const Settings& settings, Ledger& ledger, Ledger& fences);

    // Looks at the store once; from then on, commits tell what is due when.
    void start();
    void stop();

    void committed(const Changes& changes);
    // Asks the store what is due, instead of trusting what commits told.
    void look_again();

    using Counted = std::function<void(const Result<std::int64_t>&)>;
    // At once, instead of when an alarm says so. Tells how many jobs that were.
    void promote_all(const Counted& done);
    // Deletes what is past its retention. Tells how many jobs went.
    void prune(const Counted& done);

private:
    void promote();
    void rescue();
    void tell();
    template <typename Command>
    void exhaust(const Command& command, std::int64_t so_far, const Counted& then) {
        exhaust_in(ledger_, command, so_far, then);
    }
    template <typename Command>
    void exhaust_in(Ledger& ledger, const Command& command, std::int64_t so_far,
                    const Counted& then);
    void prune_fences(const Counted& then);
    void prune_rest(const Result<std::int64_t>& jobs);
    void prune_regularly();

    Env& env_;
    Store& store_;
    const Settings& settings_;
    Ledger& ledger_;
    Ledger& fences_;
    bool stopped_ = true;
    bool promoting_ = false;
    bool rescuing_ = false;
    bool telling_ = false;
    bool tell_again_ = false;             // asked for while it was
    std::vector<Counted> prune_callers_;  // INVARIANT: empty exactly while nobody prunes
    Alarm due_;
    Alarm expiry_;
    Alarm untold_;
    Alarm pruning_;
};

}  // namespace semel
