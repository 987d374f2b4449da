#include "engine/ledger.hpp"

#include <algorithm>

namespace semel {
namespace {

// Beyond this a batch gains nothing: the fsync is a small part of it, and callers wait longer.
constexpr std::size_t kBatchTasksMax = 512;
// At 25 k commands a second this is under half a second of waiting; more would only be answered
// after its caller has given up.
constexpr std::size_t kQueueTasksMax = 10'000;

}  // namespace

struct Ledger::Batch {
    std::vector<std::unique_ptr<Task>> tasks;
    std::shared_ptr<Changes> changes;
    std::chrono::nanoseconds began{0};
};

Ledger::Ledger(Env& env, Store& store, const Settings& settings, Committed committed)
    : env_(env),
      settings_(settings),
      committed_(std::move(committed)),
      random_([&env] { return env.random(); }),
      ids_(random_),
      committer_(
          store.open_committer([&env](std::function<void()> run) { env.post(std::move(run)); })) {}

Ledger::~Ledger() = default;

void Ledger::submit(std::unique_ptr<Task> task) {
    if (queue_.size() >= kQueueTasksMax) {
        task->answer(Error(ErrorCode::overloaded, "too many commands are waiting"));
        return;
    }
    queue_.push_back(std::move(task));
    if (!batch_) {
        begin();
    }
}

void Ledger::when_idle(std::function<void()> done) {
    if (!batch_ && queue_.empty()) {
        done();
    } else {
        idle_waiters_.push_back(std::move(done));
    }
}

void Ledger::begin() {
    SEMEL_ASSERT(!batch_ && !queue_.empty());
    batch_ = std::make_unique<Batch>();
    batch_->began = env_.monotonic();
    const std::size_t count = std::min(queue_.size(), kBatchTasksMax);
    batch_->tasks.reserve(count);
    LoadSpec spec;
    for (std::size_t i = 0; i < count; ++i) {
        batch_->tasks.push_back(std::move(queue_.front()));
        queue_.pop_front();
        batch_->tasks.back()->name_rows(spec);
    }
    committer_->load(std::move(spec), [this](Result<Loaded> rows) { loaded(std::move(rows)); });
}

void Ledger::loaded(Result<Loaded> rows) {
    if (!rows) {
        finish(rows.error());
        return;
    }
    Workspace workspace(std::move(*rows), settings_, ids_, random_);
    for (const auto& task : batch_->tasks) {
        workspace.savepoint();
        task->decide(workspace);
    }
    batch_->changes = std::make_shared<Changes>(workspace.take_changes());
    if (batch_->changes->empty()) {
        // Nothing to make durable: what was answered is what durable rows said.
        committer_->roll_back([this](const Result<void>& ended) { finish(ended); });
    } else {
        save();
    }
}

void Ledger::save() {
    committer_->save(batch_->changes, [this](const Result<void>& saved) {
        if (!saved) {
            finish(saved);
            return;
        }
        committer_->commit([this](const Result<void>& committed) { finish(committed); });
    });
}

void Ledger::finish(const Result<void>& committed) {
    const auto batch = std::move(batch_);
    if (committed) {
        const std::chrono::duration<double> took = env_.monotonic() - batch->began;
        env_.observer().on_commit(batch->tasks.size(), took.count());
    } else {
        env_.observer().on_store_error(committed.error());
    }
    // The next batch starts first: it loads while these replies are written.
    if (!queue_.empty()) {
        begin();
    }
    for (const auto& task : batch->tasks) {
        task->answer(committed);
    }
    if (committed) {
        committed_(*batch->changes);
    }
    if (!batch_ && queue_.empty()) {
        for (const auto& waiter : std::exchange(idle_waiters_, {})) {
            waiter();
        }
    }
}

}  // namespace semel
