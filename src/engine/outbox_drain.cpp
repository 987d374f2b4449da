#include "engine/outbox_drain.hpp"

#include <utility>

namespace semel {
namespace {

// A node locks a row for the time of a commit. A user's transaction can lock it for any time.
constexpr Millis kRetryLocked = Millis(50);
constexpr Millis kDrainRetryAfter = Millis(500);
// A round that has skipped this number of entries ends. The next round begins with them.
constexpr std::size_t kSkippedMax = 10'000;

}  // namespace

OutboxDrain::OutboxDrain(Env& env, Store& store, const Settings& settings, Ledger& ledger)
    : store_(store),
      settings_(settings),
      ledger_(ledger),
      again_(env, store, [this] { poll_again(); }) {}

void OutboxDrain::start() {
    stopped_ = false;
    poll_again();
}

void OutboxDrain::stop() {
    stopped_ = true;
    again_.clear();
}

void OutboxDrain::poll_again() {
    if (stopped_) {
        return;
    }
    if (draining_) {
        asked_again_ = true;
        return;
    }
    drain({});
}

void OutboxDrain::drain(OutboxSkips skipped) {
    draining_ = true;
    ledger_.submit(std::make_unique<CommandTask<DrainOutbox>>(
        DrainOutbox{.settings = settings_, .skipped = std::move(skipped)},
        [this](const Result<Reply<DrainOutbox>>& reply) { drained(reply); }));
}

void OutboxDrain::drained(const Result<Reply<DrainOutbox>>& reply) {
    draining_ = false;
    if (stopped_) {
        return;
    }
    if (!reply) {
        again_.set(store_.now() + kDrainRetryAfter);
        return;
    }
    const auto& outcome = std::get<DrainOutcome>(*reply);
    if (outcome.more && outcome.skipped.entries.size() < kSkippedMax) {
        drain(outcome.skipped);
        return;
    }
    if (!outcome.skipped.entries.empty()) {
        again_.set(store_.now() + kRetryLocked);
    }
    if (std::exchange(asked_again_, false)) {
        poll_again();
    }
}

}  // namespace semel
