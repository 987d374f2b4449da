#include "engine/ledger.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/crash_point.hpp"

namespace semel {
namespace {

// The limit of waiting commands: half a second of work at 25 000 commands per second. The answers
// to more commands would be too late for their callers.
constexpr TaskSize kQueueMax{.items = 10'000, .bytes = 256 * 1024 * 1024};

// Returns a hash of the row that a command is about, so that commands about one row share a stream.
// Of several claims the last one is the command's key. The claim of an Idempotency-Key comes first.
std::optional<std::size_t> subject_of(const LoadSpec& spec) {
    if (!spec.claims.empty()) return std::hash<ClaimId>()(spec.claims.back());
    if (!spec.schedules.empty()) return std::hash<ScheduleKey>()(spec.schedules.front());
    if (!spec.groups.empty()) return std::hash<GroupKey>()(spec.groups.front());
    if (!spec.jobs.empty()) return std::hash<JobId>()(spec.jobs.front().id);
    if (!spec.bulk_runs.empty()) return std::hash<Uuid>()(spec.bulk_runs.front());
    if (!spec.api_tokens.empty()) return std::hash<Uuid>()(spec.api_tokens.front());
    return std::nullopt;
}

}  // namespace

Ledger::Ledger(Env& env, Store& store, const Settings& settings,
               const CommitStream::Listeners& listeners)
    : env_(env) {
    for (int i = 0; i < store.committers(); ++i) {
        streams_.push_back(std::make_unique<CommitStream>(env, store, settings, listeners,
                                                          [this] { send_parked(); }));
    }
}

Ledger::~Ledger() {
    *is_alive_ = false;
}

void Ledger::submit(std::unique_ptr<Task> task) {
    submit_one(std::move(task), std::nullopt);
}

void Ledger::submit_to(std::size_t stream, std::unique_ptr<Task> task) {
    submit_one(std::move(task), stream);
}

void Ledger::submit_one(std::unique_ptr<Task> task, std::optional<std::size_t> wished) {
    if (is_closed_) {
        task->answer(Error(ErrorCode::stopped, "the engine is stopping"));
        return;
    }
    Parked command = with_rows(std::move(task), wished);
    const auto stream = stream_for(command);
    if (!stream) {
        park(std::move(command));
        return;
    }
    command.entry.rows.enter(*stream);
    streams_[*stream]->submit(std::move(command.entry));
}

void Ledger::submit_all_to(std::size_t stream, std::vector<std::unique_ptr<Task>> tasks) {
    ByStream entries(streams_.size());
    for (auto& task : tasks) {
        if (is_closed_) {
            task->answer(Error(ErrorCode::stopped, "the engine is stopping"));
        } else {
            send_or_park(with_rows(std::move(task), stream), entries);
        }
    }
    send(std::move(entries));
}

Ledger::Parked Ledger::with_rows(std::unique_ptr<Task> task, std::optional<std::size_t> wished) {
    LoadSpec spec;
    if (streams_.size() > 1) task->name_rows(spec);
    Parked command{
        .entry = {.task = std::move(task), .rows = rows_.hold_of(spec), .since = env_.monotonic()}};
    if (wished) {
        command.otherwise = *wished;
    } else if (const auto subject = subject_of(spec)) {
        command.otherwise = *subject % streams_.size();
    } else {
        command.otherwise = idlest([](std::size_t) { return true; });
    }
    return command;
}

std::optional<std::size_t> Ledger::stream_for(const Parked& command) const {
    const auto& rows = command.entry.rows.rows();
    const bool is_behind =
        !wanted_.empty() && std::any_of(rows.begin(), rows.end(), [this](RowsInFlight::Row row) {
            return wanted_.contains(row);
        });
    if (is_behind) {
        return std::nullopt;
    }
    const auto found = rows_.find(command.entry.rows);
    if (found.on_several) {
        return std::nullopt;
    }
    return found.stream.value_or(command.otherwise);
}

void Ledger::send_or_park(Parked command, ByStream& entries) {
    if (const auto stream = stream_for(command)) {
        command.entry.rows.enter(*stream);
        entries[*stream].push_back(std::move(command.entry));
        return;
    }
    park(std::move(command));
}

void Ledger::park(Parked command) {
    const auto& rows = command.entry.rows.rows();
    wanted_.insert(rows.begin(), rows.end());
    parked_size_ += command.entry.task->size();
    parked_.push_back(std::move(command));
}

void Ledger::send(ByStream entries) {
    for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
        if (!entries[stream].empty()) streams_[stream]->submit_all(std::move(entries[stream]));
    }
}

void Ledger::send_parked() {
    if (parked_.empty()) {
        return;
    }
    wanted_.clear();
    ByStream entries(streams_.size());
    parked_size_ = {};
    for (Parked& command : std::exchange(parked_, {})) send_or_park(std::move(command), entries);
    send(std::move(entries));
    if (is_closed_ && parked_.empty()) {
        // Posted, because the stream whose batch has ended has not answered it yet.
        env_.post([this, is_alive = is_alive_] {
            if (*is_alive) close_streams();
        });
    }
}

std::size_t Ledger::idlest(const std::function<bool(std::size_t)>& will_do) const {
    const auto load = [this](std::size_t stream) {
        return std::pair(streams_[stream]->waiting().items, streams_[stream]->is_busy());
    };
    std::optional<std::size_t> found;
    for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
        if (will_do(stream) && (!found || load(stream) < load(*found))) found = stream;
    }
    SEMEL_ASSERT(found);
    return *found;
}

bool Ledger::is_full() const {
    TaskSize waiting = parked_size_;
    for (const auto& stream : streams_) {
        waiting += stream->waiting();
    }
    return waiting.items >= kQueueMax.items || waiting.bytes >= kQueueMax.bytes;
}

void Ledger::close(std::function<void()> done) {
    is_closed_ = true;
    done_ = std::move(done);
    if (parked_.empty()) close_streams();
}

void Ledger::close_streams() {
    closing_ = streams_.size();
    for (const auto& stream : streams_) {
        stream->close([this] {
            if (--closing_ == 0) {
                SEMEL_CRASH_POINT(stop_flushed);
                std::exchange(done_, nullptr)();
            }
        });
    }
}

}  // namespace semel
