#include "store/postgres/writer.hpp"

#include <algorithm>
#include <thread>

#include "core/fences/fence.hpp"
#include "core/limits.hpp"
#include "store/ladder/ladder.hpp"
#include "store/postgres/commit_marks.hpp"

namespace semel::postgres {
namespace {

// The limit of climbs, against an endless loop. A ladder has fewer rungs, except for a cascading
// deletion: at most four for each level of chains.
constexpr int kRoundTripsMax = 4 * kDeletedLevelsMax + 100;
// How long the result of a lost commit is asked for. A crashed server usually restarts within this
// time.
constexpr std::chrono::seconds kFindOutFor{5};
constexpr std::chrono::milliseconds kFindOutPause{50};

// Without sequential scans: the planner would read whole tables that were empty at their last
// analysis. One generic plan fits all batches. If a node is suspended within a batch, the server
// ends the transaction, so that its locks end. The settings are for this transaction only, because
// a pooler can give the session to another client. synchronous_commit is read, because it is per
// session.
constexpr const char* kWriterSettings =
    "select current_setting('synchronous_commit'), set_config('enable_seqscan', 'off', true), "
    "set_config('plan_cache_mode', 'force_generic_plan', true), "
    "set_config('jit', 'off', true), set_config('lock_timeout', $1, true), "
    "set_config('idle_in_transaction_session_timeout', $2, true)";
constexpr const char* kLockTimeout = "50ms";
constexpr const char* kStandstillMax = "2s";  // as late as a rescue may be
constexpr const char* kServerTime = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

Error read_again() {
    return {ErrorCode::busy, "a job is not as this node left it, or may not be: to be read again"};
}

bool makes_work(const Changes& changes) {
    return std::any_of(changes.jobs.begin(), changes.jobs.end(), [](const Change<Job>& change) {
        return change.after && change.after->place == Place::ready;
    });
}

// Returns true if a caller on another node can be waiting for one of these changes.
bool ends_something(const Changes& changes) {
    return std::any_of(changes.jobs.begin(), changes.jobs.end(), may_end_chain) ||
           std::any_of(changes.claims.begin(), changes.claims.end(), may_end_hold);
}

}  // namespace

Result<void> Writer::connect() {
    if (connection_ != nullptr && connection_->is_alive()) {
        return {};
    }
    connection_.reset();
    SEMEL_TRY(opened, Connection::open(options_));
    connection_ = std::move(opened);
    return {};
}

// Tries a second time if the connection was lost since the last transaction, because a load changes
// nothing.
Result<Loaded> Writer::load(const LoadSpec& spec) {
    const bool was_open = connection_ != nullptr;
    auto loaded = try_load(spec);
    return !loaded && was_open && connection_ == nullptr ? try_load(spec) : std::move(loaded);
}

Result<Loaded> Writer::try_load(const LoadSpec& spec) {
    SEMEL_CHECK(connect());
    connection_->queue("begin isolation level read committed");
    connection_->queue(kWriterSettings, Params().text(kLockTimeout).text(kStandstillMax));
    rows_.emplace(*connection_, spec.wait ? IfLocked::wait : IfLocked::skip);
    rows_->guess(spec, remembered_, time_.now());
    auto loaded = climb(spec);
    if (!loaded) {
        return abandon(loaded.error());
    }
    now_ = loaded->now;
    return loaded;
}

Result<Loaded> Writer::climb(const LoadSpec& spec) {
    std::size_t begun = 2;  // the answers to the statements that begin the transaction
    for (int trips = 0; trips < kRoundTripsMax; ++trips) {
        Loaded loaded = climb_ladder(*rows_, spec, time_.now());
        if (begun == 0 && !rows_->has_wishes()) {
            return answer_of(std::move(loaded), *rows_);
        }
        rows_->queue();
        SEMEL_TRY(answers, begun != 0 ? flush_with_time() : connection_->flush());
        if (begun != 0) {
            note_settings(answers.at(begun - 1));
        }
        SEMEL_CHECK(rows_->take(answers, begun));
        begun = 0;
    }
    return Error(ErrorCode::corrupt, "loading does not come to an end");
}

void Writer::note_settings(Rows& settings) {
    settings.next_row();
    std::string commit = settings.read_string();
    if (commit != synchronous_commit_) {
        synchronous_commit_ = std::move(commit);
        commits_with_(synchronous_commit_);
    }
}

Result<std::vector<Rows>> Writer::flush_with_time() {
    connection_->queue(kServerTime);
    const auto asked = StoreClock::real_sample().steady;
    SEMEL_TRY(answers, connection_->flush());
    answers.back().next_row();
    time_.heard(answers.back().read_time(), asked);
    answers.pop_back();
    return answers;
}

Result<void> Writer::commit(const Changes& changes) {
    SEMEL_ASSERT(connection_ != nullptr && rows_.has_value());
    const Guesses guesses = rows_->guesses();
    if (!tests_all(changes, guesses)) {
        return roll_back();
    }
    if (const auto committed = send(changes); !committed) {
        remembered_.forget(guesses);
        const bool may_be_the_guess =
            !guesses.empty() && committed.error().code() == ErrorCode::invalid;
        return may_be_the_guess ? read_again() : committed.error();
    }
    remembered_.note(changes);
    if (makes_work(changes)) {
        tell_.work();
    }
    if (ends_something(changes)) {
        tell_.ends();
    }
    return {};
}

Result<void> Writer::send(const Changes& changes) {
    const Uuid mark = new_mark_();
    Save save(*connection_, rows_->take_ready_tids(), rows_->guesses());
    if (const auto saved = save.queue(changes, mark, now_); !saved) {
        return abandon(saved.error());
    }
    connection_->queue("commit");
    rows_.reset();
    const auto answers = connection_->flush();
    if (answers) {
        return {};
    }
    const bool is_unknown = !connection_->is_alive() && !connection_->was_dismissed();
    const Error error = abandon(answers.error());
    return is_unknown ? find_out(mark, error) : Result<void>(error);
}

Result<void> Writer::find_out(const Uuid& mark, const Error& error) {
    const Error unknown(ErrorCode::commit_unknown, error.message());
    const auto until = std::chrono::steady_clock::now() + kFindOutFor;
    do {
        if (connect()) {
            if (const auto happened = find_commit(*connection_, mark, now_)) {
                return *happened ? Result<void>() : Result<void>(error);
            }
        }
        std::this_thread::sleep_for(kFindOutPause);
    } while (std::chrono::steady_clock::now() < until);
    return unknown;
}

// Returns `busy` if the batch used guesses: no save has checked them, so no caller is answered by
// them.
Result<void> Writer::roll_back() {
    SEMEL_ASSERT(connection_ != nullptr && rows_.has_value());
    const Guesses guesses = rows_->guesses();
    rows_.reset();
    connection_->queue("rollback");
    if (auto undone = connection_->flush(); !undone) {
        return abandon(undone.error());
    }
    remembered_.forget(guesses);
    return guesses.empty() ? Result<void>() : Result<void>(read_again());
}

Error Writer::abandon(Error error) {
    rows_.reset();
    if (connection_->in_transaction()) {
        connection_->queue("rollback");
        (void)connection_->flush();  // if it fails, the connection is dropped
    }
    if (!connection_->is_alive() || connection_->in_transaction()) {
        connection_.reset();
    }
    return error;
}

}  // namespace semel::postgres
