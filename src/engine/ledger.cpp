#include "engine/ledger.hpp"

#include "base/mutation.hpp"

namespace semel {
namespace {

// Beyond this a batch gains nothing: the fsync is a small part of it, and callers wait longer.
constexpr TaskSize kBatchMax{.items = 512, .bytes = 8 * 1024 * 1024};
// At 25 k commands a second this is under half a second of waiting; more would only be answered
// after its caller has given up.
constexpr TaskSize kQueueMax{.items = 10'000, .bytes = 256 * 1024 * 1024};

}  // namespace

struct Ledger::Batch {
    std::vector<std::unique_ptr<Task>> tasks;
    std::shared_ptr<Changes> changes;
    std::chrono::nanoseconds began{0};
};

Ledger::Ledger(Env& env, Store& store, const Settings& settings, Listeners listeners)
    : env_(env),
      settings_(settings),
      listeners_(std::move(listeners)),
      random_([&env] { return env.random(); }),
      ids_(random_),
      committer_(
          store.open_committer([&env](std::function<void()> run) { env.post(std::move(run)); })) {}

Ledger::~Ledger() = default;

bool Ledger::is_full() const {
    return waiting_.items >= kQueueMax.items || waiting_.bytes >= kQueueMax.bytes;
}

void Ledger::submit(std::unique_ptr<Task> task) {
    if (is_closed_) {
        task->answer(Error(ErrorCode::stopped, "the engine is stopping"));
        return;
    }
    waiting_ += task->size();
    queue_.push_back(std::move(task));
    if (!batch_) {
        begin();
    }
}

void Ledger::close(std::function<void()> done) {
    is_closed_ = true;
    closed_ = std::move(done);
    check_closed();
}

void Ledger::check_closed() {
    if (closed_ && !batch_ && queue_.empty()) {
        std::exchange(closed_, nullptr)();
    }
}

void Ledger::begin() {
    SEMEL_ASSERT(!batch_ && !queue_.empty());
    batch_ = std::make_unique<Batch>();
    batch_->began = env_.monotonic();
    LoadSpec spec;
    TaskSize size;
    while (!queue_.empty() && size.items < kBatchMax.items && size.bytes < kBatchMax.bytes) {
        size += queue_.front()->size();
        queue_.front()->name_rows(spec);
        batch_->tasks.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
    waiting_ -= size;
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
        if (SEMEL_MUTATION(answer_before_commit)) {
            answer_all(*batch_, Result<void>());
        }
        committer_->commit([this](const Result<void>& committed) { finish(committed); });
    });
}

void Ledger::answer_all(Batch& batch, const Result<void>& committed) {
    for (const auto& task : std::exchange(batch.tasks, {})) {
        task->answer(committed);
    }
}

void Ledger::finish(const Result<void>& committed) {
    const auto batch = std::move(batch_);
    const bool is_unknown = !committed && committed.error().code() == ErrorCode::commit_unknown;
    if (is_unknown && SEMEL_MUTATION(unknown_commit_retried)) {
        for (auto& task : batch->tasks) submit(std::move(task));
        return;
    }
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
    if (committed) {
        listeners_.recorded(*batch->changes);
    }
    answer_all(*batch, committed);
    if (committed) {
        listeners_.committed(*batch->changes);
    } else if (is_unknown) {
        listeners_.unknown();
    }
    check_closed();
}

}  // namespace semel
