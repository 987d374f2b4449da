#include "engine/upkeep.hpp"

#include <utility>

namespace semel {
namespace {

constexpr Millis kPruneEvery = std::chrono::minutes(1);
constexpr Millis kRetryAfterError = Millis(500);  // of the store, so that a rescue is not late

}  // namespace

Upkeep::Upkeep(Env& env, Store& store, const Settings& settings, Ledger& ledger)
    : env_(env),
      store_(store),
      settings_(settings),
      ledger_(ledger),
      due_(env, store, [this] { promote(); }),
      expiry_(env, store, [this] { rescue(); }),
      pruning_(env, store, [this] { prune_jobs(); }) {}

void Upkeep::start() {
    stopped_ = false;
    look_again();
    pruning_.set(store_.now());
}

void Upkeep::look_again() {
    promote();
    rescue();
}

void Upkeep::stop() {
    stopped_ = true;
    due_.clear();
    expiry_.clear();
    pruning_.clear();
}

void Upkeep::committed(const Changes& changes) {
    if (stopped_) {
        return;
    }
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
                due_.set(store_.now() + kRetryAfterError);
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
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
                expiry_.set(store_.now() + kRetryAfterError);
                return;
            }
            const auto& outcome = std::get<UpkeepOutcome>(*reply);
            if (outcome.count > 0) {
                env_.observer().on_rescued(outcome.count);
            }
            if (outcome.more) {
                rescue();
            } else if (outcome.next_at) {
                expiry_.set(*outcome.next_at);
            }
        }));
}

void Upkeep::prune_jobs() {
    const PruneJobs command{.retention = settings_.job_retention};
    ledger_.submit(std::make_unique<CommandTask<PruneJobs>>(
        command, [this](const Result<Reply<PruneJobs>>& reply) {
            if (stopped_) {
                return;
            }
            const bool more = reply && std::get<UpkeepOutcome>(*reply).more;
            more ? prune_jobs() : prune_claims();
        }));
}

void Upkeep::prune_claims() {
    ledger_.submit(std::make_unique<CommandTask<PruneClaims>>(
        PruneClaims{}, [this](const Result<Reply<PruneClaims>>& reply) {
            if (stopped_) {
                return;
            }
            if (reply && std::get<UpkeepOutcome>(*reply).more) {
                prune_claims();
            } else {
                pruning_.set(store_.now() + kPruneEvery);
            }
        }));
}

}  // namespace semel
