#include "engine/bulk_runner.hpp"

#include "base/crash_point.hpp"
#include "engine/on_executor.hpp"

namespace semel {
namespace {

constexpr Millis kBulkRetryAfter = std::chrono::seconds(1);

}  // namespace

BulkRunner::BulkRunner(Env& env, Store& store, Ledger& ledger, int step_actions)
    : env_(env), store_(store), ledger_(ledger), step_actions_(step_actions) {}

BulkRunner::~BulkRunner() {
    *is_alive_ = false;
    if (retry_timer_) {
        env_.cancel(*retry_timer_);
    }
}

void BulkRunner::start() {
    stopped_ = false;
    poll_again();
}

void BulkRunner::poll_again() {
    if (stopped_) {
        return;
    }
    store_.reads().list_open_bulk_runs(on_executor<std::vector<BulkRun>>(
        env_, is_alive_, [this](const Result<std::vector<BulkRun>>& runs) {
            if (!runs) {
                retry_later([this] { poll_again(); });
                return;
            }
            for (const BulkRun& run : *runs) {
                add(run);
            }
            next_step();
        }));
}

void BulkRunner::committed(const Changes& changes) {
    for (const auto& change : changes.bulk_runs) {
        if (change.after && !change.before) {
            add(*change.after);
        }
    }
    next_step();
}

void BulkRunner::add(const BulkRun& run) {
    if (open_.emplace(run.id, run).second) {
        turns_.push_back(run.id);
    }
}

void BulkRunner::next_step() {
    if (stopped_ || is_stepping_ || retry_timer_ || turns_.empty()) {
        return;
    }
    is_stepping_ = true;
    const Uuid id = turns_.front();
    turns_.pop_front();
    read(open_.at(id));
}

void BulkRunner::read(const BulkRun& run) {
    store_.reads().walk_actions(
        run.tenant, run.filter, run.cursor, run.id, step_actions_,
        on_executor<std::vector<JobId>>(env_, is_alive_,
                                        [this, id = run.id](Result<std::vector<JobId>> found) {
                                            if (!found) {
                                                stepped(id, found.error());
                                            } else {
                                                step(id, std::move(*found));
                                            }
                                        }));
}

void BulkRunner::step(const Uuid& run, std::vector<JobId> actions) {
    SEMEL_CRASH_POINT(bulk_walked);
    StepBulk command;
    command.bulk_run = run;
    command.is_last = actions.size() < static_cast<std::size_t>(step_actions_);
    command.actions = std::move(actions);
    if (const BulkRun& open = open_.at(run); open.operation == Operation::retry) {
        command.reopens_in = open.tenant;
    }
    ledger_.submit(std::make_unique<CommandTask<StepBulk>>(
        std::move(command),
        [this, run](const Result<Reply<StepBulk>>& reply) { stepped(run, reply); }));
}

void BulkRunner::stepped(const Uuid& id, const Result<Reply<StepBulk>>& reply) {
    is_stepping_ = false;
    if (!reply) {
        turns_.push_back(id);
        retry_later([this] { next_step(); });
        return;
    }
    SEMEL_CRASH_POINT(bulk_stepped);
    const auto* run = std::get_if<BulkRun>(&*reply);
    if (run == nullptr || run->finished_at) {
        open_.erase(id);
    } else {
        open_.at(id) = *run;
        turns_.push_back(id);
    }
    next_step();
}

void BulkRunner::retry_later(const std::function<void()>& again) {
    if (!stopped_ && !retry_timer_) {
        retry_timer_ = env_.after(kBulkRetryAfter, [this, again] {
            retry_timer_.reset();
            again();
            next_step();
        });
    }
}

}  // namespace semel
