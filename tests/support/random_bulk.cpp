#include "support/random_bulk.hpp"

#include <algorithm>

namespace semel::test {
namespace {

constexpr int kStepActions = 4;  // so that a run has several
constexpr std::size_t kOpenMax = 3;

}  // namespace

AnyCommand RandomBulk::next(Dice& dice, BulkSource& source) {
    if (open_.empty() || (open_.size() < kOpenMax && dice.one_in(4))) {
        return start(dice, source);
    }
    if (last_step_ && dice.one_in(5)) {
        return *last_step_;  // as if its answer had been lost
    }
    const BulkRun& run = dice.any_of(open_);
    StepBulk step{.bulk_run = run.id, .actions = source.walk(run, kStepActions)};
    step.is_last = step.actions.size() < kStepActions;
    if (run.operation == Operation::retry) step.reopens_in = run.tenant;
    last_step_ = step;
    return step;
}

StartBulk RandomBulk::start(Dice& dice, BulkSource& source) {
    StartBulk command;
    command.tenant = dice.any_of(tenants_);
    command.operation = static_cast<Operation>(dice.below(3));
    command.filter = filter(dice);
    command.dry_run = dice.one_in(4);
    command.matched = source.count(command.tenant, command.filter);
    return command;
}

// A narrow one mostly, so that there is work left for others.
ActionFilter RandomBulk::filter(Dice& dice) {
    ActionFilter filter;
    if (dice.one_in(2)) filter.type = dice.any_of(types_);
    if (dice.one_in(2)) filter.lock_group = dice.any_of(groups_);
    if (dice.one_in(3)) {
        filter.status = dice.one_in(2) ? Status::pending : Status::cancelled;
    }
    if (dice.one_in(4)) filter.schedule_name = "s";
    return filter;
}

void RandomBulk::learn(const BulkRun& run) {
    std::erase_if(open_, [&](const BulkRun& known) { return known.id == run.id; });
    if (!run.finished_at) {
        open_.push_back(run);
    }
}

}  // namespace semel::test
