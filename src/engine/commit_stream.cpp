#include "engine/commit_stream.hpp"

#include <algorithm>
#include <iterator>

#include "base/crash_point.hpp"

namespace semel {
namespace {

// The limit of a batch. In a larger one the fsync is a small part, and callers only wait longer.
constexpr TaskSize kBatchMax{.items = 512, .bytes = 8 * 1024 * 1024};

// The part of a batch that postponed commands can take, so that new commands always get a part.
constexpr TaskSize kAgainMax{.items = kBatchMax.items / 2, .bytes = kBatchMax.bytes / 2};

// Commands' own statements delay every other command of the batch. After this time the batch begins
// no further statements: their commands are first in the next batch.
constexpr std::chrono::nanoseconds kWritesMax = std::chrono::milliseconds(100);

// How long a command is tried again while its row is locked elsewhere. Then it is answered `busy`,
// before its caller's timeout.
constexpr std::chrono::nanoseconds kPatience = std::chrono::seconds(5);

// How long a command of many items waits for a row of one item. Then that item is refused, because
// the others can be heartbeats, and leases end. Another node locks a row for the time of a commit.
constexpr std::chrono::nanoseconds kPatienceForItems = std::chrono::seconds(1);

bool has_waited_for_items(const PendingTask& entry, std::chrono::nanoseconds now) {
    return entry.tries > 0 && now - entry.first_try > kPatienceForItems;
}

}  // namespace

struct CommitStream::Batch {
    std::vector<Entry> entries;
    std::optional<Workspace> workspace;  // while they are decided
    std::vector<Entry> decided;
    std::vector<Entry> met_locked;  // met a row that is locked elsewhere
    std::vector<Entry> left;        // their statements must wait for the next batch
    bool has_written = false;       // a command's own statements have run
    bool awaits_outbox = false;     // one of met_locked waits for entries of the outbox
    bool waits = false;             // has one command only, which may wait for its rows
    std::shared_ptr<Changes> changes = std::make_shared<Changes>();
    std::chrono::nanoseconds began{0};
};

CommitStream::CommitStream(Env& env, Store& store, const Settings& settings, Listeners listeners,
                           std::function<void()> freed)
    : env_(env),
      settings_(settings),
      listeners_(std::move(listeners)),
      freed_(std::move(freed)),
      random_([&env] { return env.random(); }),
      ids_(random_),
      committer_(
          store.open_committer([&env](std::function<void()> run) { env.post(std::move(run)); })) {}

CommitStream::~CommitStream() {
    if (alarm_) {
        env_.cancel(*alarm_);
    }
}

void CommitStream::submit(PendingTask entry) {
    enqueue(std::move(entry));
    begin();
}

void CommitStream::submit_all(std::vector<PendingTask> entries) {
    for (Entry& entry : entries) enqueue(std::move(entry));
    begin();
}

void CommitStream::enqueue(Entry entry) {
    if (is_closed_) {
        entry.task->answer(Error(ErrorCode::stopped, "the engine is stopping"));
        return;
    }
    waiting_ += entry.task->size();
    queue_.push_back(std::move(entry));
}

void CommitStream::close(std::function<void()> done) {
    is_closed_ = true;
    closed_ = std::move(done);
    check_closed();
}

void CommitStream::check_closed() {
    if (closed_ && !batch_ && queue_.empty() && postponed_.empty()) {
        std::exchange(closed_, nullptr)();
    }
}

void CommitStream::gather(Batch& batch) {
    auto alone = postponed_.take_waiter(batch.began);
    batch.waits = alone.has_value();
    if (!alone) {
        alone = postponed_.take_single(batch.began);
    }
    if (alone) {
        alone->rows.enter_again();
        batch.entries.push_back(std::move(*alone));
        return;
    }
    batch.entries = postponed_.take_due(batch.began, kAgainMax);
    TaskSize size;
    for (Entry& entry : batch.entries) {
        entry.rows.enter_again();
        size += entry.task->size();
    }
    while (!queue_.empty() && size.items < kBatchMax.items && size.bytes < kBatchMax.bytes) {
        size += queue_.front().task->size();
        batch.entries.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
}

void CommitStream::begin() {
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
        entry.task->begin();
        entry.task->name_rows(spec);
    }
    spec.wait = batch_->waits && spec.queries.empty();  // a query skips locked rows
    committer_->load(std::move(spec), [this](Result<Loaded> rows) { loaded(std::move(rows)); });
}

void CommitStream::loaded(Result<Loaded> rows) {
    if (!rows) {
        finish(rows.error());
        return;
    }
    SEMEL_CRASH_POINT(ledger_loaded);
    batch_->workspace.emplace(std::move(*rows), settings_, ids_, random_);
    // decide_next() takes the next command from the back.
    std::reverse(batch_->entries.begin(), batch_->entries.end());
    decide();
}

void CommitStream::decide() {
    while (!batch_->entries.empty()) {
        if (!decide_next()) {
            return;
        }
    }
    end();
}

bool CommitStream::decide_next() {
    Workspace& workspace = *batch_->workspace;
    Task& task = *batch_->entries.back().task;
    workspace.savepoint();
    if (task.has_many_items() && has_waited_for_items(batch_->entries.back(), batch_->began)) {
        workspace.refuse_locked_items();
    }
    task.decide(workspace);
    std::vector<Entry>* to = &batch_->decided;
    if (const std::string* damage = workspace.met_damage()) {
        refuse(Error(ErrorCode::damaged_row, *damage));
        return true;
    }
    if (workspace.met_locked()) {
        batch_->awaits_outbox = batch_->awaits_outbox || workspace.is_postponed();
        workspace.roll_back();
        to = &batch_->met_locked;
    } else if (task.then() == Then::begin_again) {
        committer_->roll_back([this](const Result<void>& ended) {
            if (ended) {
                requeue();
            } else {
                fail(ended.error());
            }
        });
        return false;
    } else if (task.then() == Then::write) {
        workspace.roll_back();
        const bool is_late = env_.monotonic() - batch_->began > kWritesMax;
        if (!is_late || !batch_->has_written) {
            write(task);
            return false;
        }
        to = &batch_->left;
    }
    to->push_back(std::move(batch_->entries.back()));
    batch_->entries.pop_back();
    return true;
}

// The other commands of the batch are not affected.
void CommitStream::refuse(const Error& error) {
    batch_->workspace->roll_back();
    const Entry entry = std::move(batch_->entries.back());
    batch_->entries.pop_back();
    env_.observer().on_store_error(listeners_.store, error);
    entry.task->answer(error);
}

void CommitStream::write(Task& task) {
    batch_->has_written = true;
    committer_->write(task.own_writes(),
                      [this](const Result<Written>& outcome) { written(outcome); });
}

void CommitStream::written(const Result<Written>& written) {
    if (!written) {
        fail(written.error());
        return;
    }
    batch_->entries.back().task->written(*written);
    if (written->is_lost) {
        requeue();
    } else {
        decide();
    }
}

void CommitStream::end() {
    batch_->entries = std::move(batch_->decided);
    *batch_->changes = batch_->workspace->take_changes();
    batch_->workspace.reset();
    SEMEL_CRASH_POINT_IF(!batch_->changes->empty(), ledger_decided);
    if (batch_->changes->empty() && !batch_->has_written) {
        // No change needs a commit: the answers were made from durable rows.
        committer_->roll_back([this](const Result<void>& ended) { finish(ended); });
    } else {
        commit();
    }
}

// REQUIRES: decide() has not reached end().
void CommitStream::gather_undecided(Batch& batch) {
    std::vector<Entry> all = std::move(batch.decided);
    const auto add = [&all](std::vector<Entry>& entries) {
        std::move(entries.begin(), entries.end(), std::back_inserter(all));
        entries.clear();
    };
    std::reverse(batch.entries.begin(), batch.entries.end());
    add(batch.entries);
    add(batch.met_locked);
    add(batch.left);
    batch.entries = std::move(all);
}

void CommitStream::fail(const Error& error) {
    gather_undecided(*batch_);
    finish(error);
}

void CommitStream::requeue() {
    gather_undecided(*batch_);
    put_first(std::move(batch_->entries));
    batch_.reset();
    begin();
}

void CommitStream::put_first(std::vector<Entry> entries) {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        waiting_ += entry->task->size();
        queue_.push_front(std::move(*entry));
    }
}

void CommitStream::commit() {
    committer_->commit(batch_->changes,
                       [this](const Result<void>& committed) { finish(committed); });
}

void CommitStream::answer_all(Batch& batch, const Result<void>& committed) {
    for (const Entry& entry : std::exchange(batch.entries, {})) {
        entry.task->answer(committed);
    }
}

// The batch changed nothing.
// - `busy`: for example another node inserted a key first. A new try reads that node's row.
// - `invalid`: the rows of one command cannot be saved. Each command gets a separate batch, so that
//   only that one fails.
bool CommitStream::takes_another_try(const Error& error) {
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

bool CommitStream::try_again(std::vector<Entry> entries) {
    const auto now = env_.monotonic();
    bool gave_up = false;
    for (Entry& entry : entries) {
        if (now - entry.since > kPatience) {
            gave_up = true;
            entry.task->answer(Error(
                ErrorCode::busy, "another transaction holds what this would change; try again"));
            continue;
        }
        waiting_ += entry.task->size();
        entry.rows.leave();  // another transaction can lock one of the rows for seconds
        postponed_.add(std::move(entry), now);
    }
    return gave_up;
}

void CommitStream::set_alarm() {
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

void CommitStream::finish(const Result<void>& committed) {
    const bool again = !committed && takes_another_try(committed.error());
    const auto batch = std::move(batch_);
    SEMEL_CRASH_POINT_IF(committed && !batch->changes->empty(), ledger_committed);
    const bool is_unknown = !committed && committed.error().code() == ErrorCode::commit_unknown;
    if (committed) {
        const std::chrono::duration<double> took = env_.monotonic() - batch->began;
        env_.observer().on_commit(listeners_.store, batch->entries.size(), took.count());
    } else if (!again) {
        env_.observer().on_store_error(listeners_.store, committed.error());
    }
    if (again) {
        // If one command waited alone, only its row was locked. Any other cause of `busy` for 5 s
        // is a problem of the store, like a lock on a table, and is reported.
        const bool met_a_row = batch->waits && batch->changes->empty();
        if (try_again(std::exchange(batch->entries, {})) && !met_a_row) {
            env_.observer().on_store_error(listeners_.store, committed.error());
        }
    }
    if (batch->waits && (again || !batch->met_locked.empty())) {
        const auto now = env_.monotonic();
        postponed_.waited_in_vain(now - batch->began, now);
    }
    (void)try_again(std::exchange(batch->met_locked, {}));
    put_first(std::exchange(batch->left, {}));
    if (batch->awaits_outbox) {
        listeners_.postponed();
    }
    for (Entry& entry : batch->entries) entry.rows.leave();
    // Starts the next batch first, so that it loads while these replies are sent.
    if (freed_) freed_();
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
