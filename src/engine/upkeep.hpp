// Upkeep: the work that the engine starts without a request. - It promotes jobs that have become
// due. - It rescues jobs whose lease ended. - It fails jobs that wait for a chain that will not
// complete. - It ends passes whose lease has ended. A sent pass becomes uncertain within 2 s. On a
// store of one
//   process, the leases of an earlier process end at the start.
// - It prunes rows past their retention, every minute.
//
// Upkeep does not poll for jobs: commits and the store's answers say when the next row is due. It
// polls for passes: every second while it knows of a running lease, or if other nodes share the
// store.
//
// Errors: if the store fails, upkeep tries again after 500 ms.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: all arguments of the constructor outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/alarm.hpp"
#include "engine/ledger.hpp"

namespace semel {

class Upkeep {
public:
    // `fences`: the ledger with the claims of fences, by default the same as `ledger`.
    Upkeep(Env& env, Store& store, const Settings& settings, Ledger& ledger, Ledger& fences);

    // Asks the store once for due rows. From then on, commits bring the due times.
    void start();
    void stop();

    // Sets the alarms to the due times and lease ends in this commit of the main store.
    void committed(const Changes& changes);
    // Asks the store again for due rows. Needed if another node may have changed some.
    void poll_again();

    using Counted = std::function<void(const Result<std::int64_t>&)>;
    // Promotes all due jobs now and passes their number to `done`.
    void promote_all(const Counted& done);
    // Deletes all rows past their retention and passes the number of deleted jobs to `done`. If a
    // prune is running already, `done` receives its result. A failure to delete one kind of row
    // does not stop the others.
    void prune(const Counted& done);

private:
    void promote();
    void rescue();
    void end_earlier_leases(const std::function<void()>& then);
    void end_leases();
    void fail_dependants();
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
    bool is_ending_leases_ = false;
    Time last_lease_end_;   // the latest end of a pass's lease that this node knows
    Time next_lease_poll_;  // no poll before this time
    bool is_failing_dependants_ = false;
    bool fail_again_ = false;             // fail_dependants() was called meanwhile
    std::vector<Counted> prune_callers_;  // INVARIANT: empty exactly while no prune is running
    Alarm due_;
    Alarm expiry_;
    Alarm leases_;
    Alarm dependants_;
    Alarm pruning_;
};

}  // namespace semel
