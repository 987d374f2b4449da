#include "engine/upkeep.hpp"

#include <algorithm>
#include <utility>

#include "base/crash_point.hpp"
#include "engine/pass_holds.hpp"

namespace semel {
namespace {

constexpr Millis kPruneEvery = std::chrono::minutes(1);
constexpr Millis kPollLeasesEvery = std::chrono::seconds(1);
constexpr Millis kUpkeepRetryAfter = Millis(500);  // of the store, so that a rescue is not late

}  // namespace

Upkeep::Upkeep(Env& env, Store& store, const Settings& settings, Ledger& ledger, Ledger& fences)
    : env_(env),
      store_(store),
      settings_(settings),
      ledger_(ledger),
      fences_(fences),
      due_(env, store, [this] { promote(); }),
      expiry_(env, store, [this] { rescue(); }),
      leases_(env, store, [this] { end_leases(); }),
      dependants_(env, store, [this] { fail_dependants(); }),
      pruning_(env, store, [this] { prune_regularly(); }) {}

void Upkeep::start() {
    stopped_ = false;
    const auto begin = [this] {
        poll_again();
        pruning_.set(store_.now());
    };
    if (store_.is_shared()) {
        begin();
    } else {
        end_earlier_leases(begin);
    }
}

void Upkeep::poll_again() {
    promote();
    rescue();
    fail_dependants();
    if (store_.now() >= next_lease_poll_) {
        end_leases();
    }
}

void Upkeep::stop() {
    stopped_ = true;
    due_.clear();
    expiry_.clear();
    leases_.clear();
    dependants_.clear();
    pruning_.clear();
}

void Upkeep::committed(const Changes& changes) {
    if (stopped_) {
        return;
    }
    bool has_failing_dependants = false;
    for (const auto& change : changes.jobs) {
        if (!change.after) {
            continue;
        }
        if (change.after->place == Place::later) {
            due_.set(change.after->scheduled_at);
        }
        if (change.after->lease) {
            expiry_.set(change.after->lease->ends_at());
        }
        has_failing_dependants =
            has_failing_dependants || change.after->place == Place::failing_dependants;
    }
    if (has_failing_dependants) {
        fail_dependants();
    }
    for (const auto& change : changes.claims) {
        const auto& after = change.after;
        if (after && after->state == ClaimState::owned && after->effect && after->effect->pass) {
            leases_.set(after->effect->lease_until);
            last_lease_end_ = std::max(last_lease_end_, after->effect->lease_until);
        }
    }
}

void Upkeep::promote() {
    if (stopped_ || std::exchange(promoting_, true)) {
        return;
    }
    ledger_.submit(std::make_unique<CommandTask<PromoteDue>>(
        PromoteDue{}, [this](const Result<Reply<PromoteDue>>& reply) {
            promoting_ = false;
            if (stopped_) {
                return;
            }
            if (!reply) {
                due_.set(store_.now() + kUpkeepRetryAfter);
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
            SEMEL_CRASH_POINT_IF(outcome.count > 0, upkeep_promoted);
            if (outcome.more) {
                promote();
            } else if (outcome.next_at) {
                due_.set(*outcome.next_at);
            }
        }));
}

void Upkeep::rescue() {
    if (stopped_ || std::exchange(rescuing_, true)) {
        return;
    }
    ledger_.submit(std::make_unique<CommandTask<RescueExpired>>(
        RescueExpired{}, [this](const Result<Reply<RescueExpired>>& reply) {
            rescuing_ = false;
            if (stopped_) {
                return;
            }
            if (!reply) {
                expiry_.set(store_.now() + kUpkeepRetryAfter);
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
            if (outcome.count > 0) {
                SEMEL_CRASH_POINT(upkeep_rescued);
                env_.observer().on_rescued(outcome.count);
            }
            if (outcome.more) {
                rescue();
            } else if (outcome.next_at) {
                expiry_.set(*outcome.next_at);
            }
        }));
}

// If the store fails, the leases end at their own time.
void Upkeep::end_earlier_leases(const std::function<void()>& then) {
    ledger_.submit(std::make_unique<CommandTask<EndEarlierLeases>>(
        EndEarlierLeases{.lease = kPassLease},
        [this, then](const Result<Reply<EndEarlierLeases>>&) {
            if (!stopped_) {
                then();
            }
        }));
}

// Polls, because the next end of a lease is unknown: heartbeats move it.
void Upkeep::end_leases() {
    if (stopped_ || std::exchange(is_ending_leases_, true)) {
        return;
    }
    next_lease_poll_ = store_.now() + kPollLeasesEvery;
    exhaust(PruneClaims{}, 0, [this](const Result<std::int64_t>& ended) {
        is_ending_leases_ = false;
        if (stopped_) {
            return;
        }
        if (!ended) {
            leases_.set(store_.now() + kUpkeepRetryAfter);
        } else if (store_.now() <= last_lease_end_) {
            leases_.set(next_lease_poll_);
        }
    });
}

// The failed jobs can have dependants too. The commit that fails them calls this again.
void Upkeep::fail_dependants() {
    if (stopped_) {
        return;
    }
    if (std::exchange(is_failing_dependants_, true)) {
        fail_again_ = true;
        return;
    }
    fail_again_ = false;
    ledger_.submit(std::make_unique<CommandTask<FailDependants>>(
        FailDependants{}, [this](const Result<Reply<FailDependants>>& reply) {
            is_failing_dependants_ = false;
            if (stopped_) {
                return;
            }
            if (!reply) {
                dependants_.set(store_.now() + kUpkeepRetryAfter);
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
            SEMEL_CRASH_POINT_IF(outcome.count > 0, upkeep_told);
            if (outcome.more || fail_again_) {
                fail_dependants();
            }
        }));
}

// Repeats the command until nothing is left or the store fails. Then passes the total to `then`.
template <typename Command>
void Upkeep::exhaust_in(Ledger& ledger, const Command& command, std::int64_t so_far,
                        const Counted& then) {
    ledger.submit(std::make_unique<CommandTask<Command>>(
        command, [this, &ledger, command, so_far, then](const Result<Reply<Command>>& reply) {
            if (!reply) {
                then(reply.error());
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
            const std::int64_t count = so_far + outcome.count;
            if (outcome.more && !stopped_) {
                exhaust_in(ledger, command, count, then);
            } else {
                then(count);
            }
        }));
}

void Upkeep::promote_all(const Counted& done) {
    exhaust(PromoteDue{}, 0, done);
}

void Upkeep::prune(const Counted& done) {
    prune_callers_.push_back(done);
    if (prune_callers_.size() > 1) {
        return;  // one at a time: two would find the same rows
    }
    exhaust(PruneJobs{.retention = settings_.job_retention}, 0,
            [this](const Result<std::int64_t>& jobs) { prune_rest(jobs); });
}

void Upkeep::prune_rest(const Result<std::int64_t>& jobs) {
    SEMEL_CRASH_POINT(upkeep_jobs_pruned);
    const auto finish = [this, jobs](const Result<std::int64_t>&) {
        SEMEL_CRASH_POINT(upkeep_decisions_pruned);
        for (const Counted& caller : std::exchange(prune_callers_, {})) {
            caller(jobs);
        }
    };
    const auto outbox_results = [this, finish](const Result<std::int64_t>&) {
        exhaust(PruneOutboxResults{}, 0, finish);
    };
    const auto decisions = [this, outbox_results](const Result<std::int64_t>& runs) {
        SEMEL_CRASH_POINT(upkeep_runs_pruned);
        if (settings_.decision_retention) {
            exhaust(PruneDecisions{.retention = *settings_.decision_retention}, 0, outbox_results);
        } else {
            outbox_results(runs);
        }
    };
    const auto bulk_runs = [this, decisions](const Result<std::int64_t>&) {
        SEMEL_CRASH_POINT(upkeep_claims_pruned);
        exhaust(PruneBulkRuns{.retention = settings_.job_retention}, 0, decisions);
    };
    const auto fences = [this, bulk_runs](const Result<std::int64_t>&) { prune_fences(bulk_runs); };
    const auto responses = [this, fences](const Result<std::int64_t>&) {
        exhaust(PruneResponses{}, 0, fences);
    };
    const auto sources = [this, responses](const Result<std::int64_t>&) {
        exhaust(PruneSources{}, 0, responses);
    };
    exhaust(PruneClaims{}, 0, sources);
}

// Prunes fences in their own store. If that store is unavailable, the rest of the cleanup
// continues.
void Upkeep::prune_fences(const Counted& then) {
    if (&fences_ == &ledger_) {
        then(0);
        return;
    }
    exhaust_in(fences_, PruneClaims{}, 0, [this, then](const Result<std::int64_t>&) {
        exhaust_in(fences_, PruneSources{}, 0, then);
    });
}

void Upkeep::prune_regularly() {
    prune([this](const Result<std::int64_t>&) {
        if (!stopped_) {
            pruning_.set(store_.now() + kPruneEvery);
        }
    });
}

}  // namespace semel
