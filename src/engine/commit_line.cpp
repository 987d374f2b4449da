#include "engine/commit_line.hpp"

#include <algorithm>

#include "base/crash_point.hpp"
#include "base/mutation.hpp"

namespace semel {
namespace {

// Beyond this a batch gains nothing: the fsync is a small part of it, and callers wait longer.
constexpr TaskSize kBatchMax{.items = 512, .bytes = 8 * 1024 * 1024};

// Of these, so many may be commands that are tried again: however many there are, others go on.
constexpr TaskSize kAgainMax{.items = kBatchMax.items / 2, .bytes = kBatchMax.bytes / 2};

// Callers should hear of a row that is held for long before they give up.
constexpr std::chrono::nanoseconds kPatience = std::chrono::seconds(5);

}  // namespace

struct CommitLine::Batch {
    std::vector<Entry> entries;
    std::vector<Entry> held;     // those that met a row that somebody else holds
    bool awaits_outbox = false;  // one of them
    bool waits = false;          // it is one command, which may wait for its rows
    std::shared_ptr<Changes> changes = std::make_shared<Changes>();
    std::chrono::nanoseconds began{0};
};

CommitLine::CommitLine(Env& env, Store& store, const Settings& settings, Listeners listeners)
    : env_(env),
      settings_(settings),
      listeners_(std::move(listeners)),
      random_([&env] { return env.random(); }),
      ids_(random_),
      committer_(
          store.open_committer([&env](std::function<void()> run) { env.post(std::move(run)); })) {}

CommitLine::~CommitLine() {
    if (alarm_) {
        env_.cancel(*alarm_);
    }
}

void CommitLine::submit(std::unique_ptr<Task> task) {
    if (is_closed_) {
        task->answer(Error(ErrorCode::stopped, "the engine is stopping"));
        return;
    }
    waiting_ += task->size();
    queue_.push_back({.task = std::move(task), .since = env_.monotonic()});
    begin();
}

void CommitLine::close(std::function<void()> done) {
    is_closed_ = true;
    closed_ = std::move(done);
    check_closed();
}

void CommitLine::check_closed() {
    if (closed_ && !batch_ && queue_.empty() && postponed_.empty()) {
        std::exchange(closed_, nullptr)();
    }
}

void CommitLine::gather(Batch& batch) {
    auto alone = postponed_.take_waiter(batch.began);
    batch.waits = alone.has_value();
    if (!alone) {
        alone = postponed_.take_single(batch.began);
    }
    if (alone) {
        batch.entries.push_back(std::move(*alone));
        return;
    }
    batch.entries = postponed_.take_due(batch.began, kAgainMax);
    TaskSize size;
    for (const Entry& entry : batch.entries) size += entry.task->size();
    while (!queue_.empty() && size.items < kBatchMax.items && size.bytes < kBatchMax.bytes) {
        size += queue_.front().task->size();
        batch.entries.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
}

void CommitLine::begin() {
    if (batch_) {
        return;
    }
    auto batch = std::make_unique<Batch>();
    batch->began = env_.monotonic();
    gather(*batch);
    if (batch->entries.empty()) {
        set_alarm();
        return;
    }
    batch_ = std::move(batch);
    LoadSpec spec;
    for (const Entry& entry : batch_->entries) {
        waiting_ -= entry.task->size();
        entry.task->name_rows(spec);
    }
    spec.wait = batch_->waits && spec.queries.empty();  // what a query finds it takes as it is
    committer_->load(std::move(spec), [this](Result<Loaded> rows) { loaded(std::move(rows)); });
}

void CommitLine::loaded(Result<Loaded> rows) {
    if (!rows) {
        finish(rows.error());
        return;
    }
    SEMEL_CRASH_POINT(ledger_loaded);
    decide(std::move(*rows));
    SEMEL_CRASH_POINT_IF(!batch_->changes->empty(), ledger_decided);
    if (batch_->changes->empty()) {
        // Nothing to make durable: what was answered is what durable rows said.
        committer_->roll_back([this](const Result<void>& ended) { finish(ended); });
    } else {
        save();
    }
}

void CommitLine::decide(Loaded rows) {
    Workspace workspace(std::move(rows), settings_, ids_, random_);
    std::vector<Entry> decided;
    decided.reserve(batch_->entries.size());
    for (Entry& entry : batch_->entries) {
        workspace.savepoint();
        entry.task->decide(workspace);
        if (workspace.met_held()) {
            batch_->awaits_outbox = batch_->awaits_outbox || workspace.is_postponed();
            if (!SEMEL_MUTATION(held_command_not_undone)) {
                workspace.roll_back();
            }
            batch_->held.push_back(std::move(entry));
        } else {
            decided.push_back(std::move(entry));
        }
    }
    batch_->entries = std::move(decided);
    *batch_->changes = workspace.take_changes();
}

void CommitLine::save() {
    committer_->save(batch_->changes, [this](const Result<void>& saved) {
        if (!saved) {
            finish(saved);
            return;
        }
        if (SEMEL_MUTATION(answer_before_commit)) {
            answer_all(*batch_, Result<void>());
        }
        SEMEL_CRASH_POINT(ledger_saved);
        committer_->commit([this](const Result<void>& committed) { finish(committed); });
    });
}

void CommitLine::answer_all(Batch& batch, const Result<void>& committed) {
    for (const Entry& entry : std::exchange(batch.entries, {})) {
        entry.task->answer(committed);
    }
}

// Nothing was changed. Who lost a key to another node decides by what that one wrote; and of a
// batch that cannot be saved, each command is tried by itself, so that one of them alone bears it.
bool CommitLine::takes_another_try(const Error& error) {
    if (error.code() == ErrorCode::busy) {
        return true;
    }
    if (error.code() != ErrorCode::invalid || batch_->entries.size() < 2) {
        return false;
    }
    for (Entry& entry : batch_->entries) {
        entry.alone = true;
    }
    return true;
}

void CommitLine::try_again(std::vector<Entry> entries) {
    const auto now = env_.monotonic();
    for (Entry& entry : entries) {
        if (now - entry.since > kPatience) {
            entry.task->answer(Error(
                ErrorCode::busy, "another transaction holds what this would change; try again"));
            continue;
        }
        waiting_ += entry.task->size();
        postponed_.add(std::move(entry), now);
    }
}

void CommitLine::set_alarm() {
    if (alarm_) {
        env_.cancel(*std::exchange(alarm_, std::nullopt));
    }
    const auto next = postponed_.next_at();
    if (!next) {
        return;
    }
    const auto left = std::max(*next - env_.monotonic(), std::chrono::nanoseconds(0));
    alarm_ = env_.after(std::chrono::ceil<Millis>(left), [this] {
        alarm_.reset();
        begin();
    });
}

void CommitLine::finish(const Result<void>& committed) {
    const bool again = !committed && takes_another_try(committed.error());
    const auto batch = std::move(batch_);
    SEMEL_CRASH_POINT_IF(committed && !batch->changes->empty(), ledger_committed);
    const bool is_unknown = !committed && committed.error().code() == ErrorCode::commit_unknown;
    if (is_unknown && SEMEL_MUTATION(unknown_commit_retried)) {
        for (Entry& entry : batch->entries) submit(std::move(entry.task));
        return;
    }
    if (committed) {
        const std::chrono::duration<double> took = env_.monotonic() - batch->began;
        env_.observer().on_commit(batch->entries.size(), took.count());
    } else if (!again) {
        env_.observer().on_store_error(committed.error());
    }
    if (again) {
        try_again(std::exchange(batch->entries, {}));
    }
    if (batch->waits && (again || !batch->held.empty())) {
        const auto now = env_.monotonic();
        postponed_.waited_in_vain(now - batch->began, now);
    }
    try_again(std::exchange(batch->held, {}));
    if (batch->awaits_outbox) {
        listeners_.postponed();
    }
    // The next batch starts first: it loads while these replies are written.
    begin();
    if (committed) {
        listeners_.recorded(*batch->changes);
    }
    answer_all(*batch, committed);
    SEMEL_CRASH_POINT_IF(committed && !batch->changes->empty(), ledger_answered);
    if (committed) {
        listeners_.committed(*batch->changes);
    } else if (is_unknown) {
        listeners_.unknown();
    }
    check_closed();
}

}  // namespace semel
