#include "store/sqlite/sqlite_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "store/ladder/ladder.hpp"
#include "store/sqlite/chain_moments.hpp"
#include "store/sqlite/file_system.hpp"
#include "store/sqlite/migrations.hpp"
#include "store/sqlite/sqlite_tx.hpp"
#include "store/sqlite/tree_checks.hpp"

namespace semel::sqlite {
namespace {

// An incomplete checkpoint is tried again after 1/16 of the usual growth, not after each commit,
// because it sorts the whole rest of the log.
constexpr int kRetryPart = 16;

}  // namespace

Result<std::unique_ptr<SqliteWriter>> SqliteWriter::open(ConnectionOptions options,
                                                         int checkpoint_pages,
                                                         std::size_t segment_claims) {
    std::unique_ptr<SqliteWriter> writer(
        new SqliteWriter(std::move(options), checkpoint_pages, segment_claims));
    SEMEL_CHECK(writer->open_session());
    SEMEL_CHECK(writer->settle());
    SEMEL_CHECK(check_trees(*writer->session_->connection));
    return writer;
}

SqliteWriter::~SqliteWriter() {
    if (session_ == nullptr || clock_ == nullptr) {
        return;
    }
    end_transaction();
    if (session_ == nullptr) {
        return;
    }
    // Store time then does not go back for readers of the file. Correctness does not depend on it,
    // because each commit stores its own mark.
    session_->save.save_mark(clock_->now());
    SEMEL_CRASH_POINT(store_closing);
}

Result<void> SqliteWriter::open_session() {
    files_.forget_log();
    SEMEL_CHECK(files_.check());
    SEMEL_TRY(connection, Connection::open(options_));
    SEMEL_CHECK(migrate(*connection));
    SEMEL_CRASH_POINT(schema_ready);
    SEMEL_TRY(mark, connection->query_int("select time_mark from meta"));
    SEMEL_TRY(commits, connection->query_int("select commits from meta"));
    SEMEL_TRY(decisions, connection->query_int("select decisions from meta"));
    auto session = std::make_unique<Session>(std::move(connection), segment_claims_, decisions);
    session->guard.learn_names();
    session->numbers.learn();
    SEMEL_CHECK(session->connection->outcome());
    SEMEL_CHECK(session->claims.learn(Rest::seal));
    session_ = std::move(session);
    time_mark_ = from_ms(mark);
    commits_ = commits;
    tried_pages_ = 0;
    checkpoint_at_ = checkpoint_pages_;
    files_.remember_log();
    return {};
}

// If the disk fails during a commit, the log can contain the commit without having it on the disk.
// A crash could keep or lose it. So it is made durable or overwritten before the next decision.
Result<void> SqliteWriter::settle() {
    if (!suspect_) {
        return {};
    }
    SEMEL_CRASH_POINT(log_inherited);
    Connection& connection = *session_->connection;
    if (commits_ >= *suspect_) {
        // The log has the commit. It becomes durable when it is copied into the file and synced.
        if (!connection.fold_log(Fold::all)) {
            return Error(ErrorCode::unavailable,
                         fmt::format("{}: what the log holds cannot be made durable yet; the disk "
                                     "may be full ({})",
                                     options_.path, free_space_at(options_.path)));
        }
    } else {
        session_->save.save_mark(clock_->now());
        if (auto written = connection.outcome(); !written) {
            session_.reset();
            return written;
        }
        ++commits_;
    }
    suspect_.reset();
    SEMEL_CRASH_POINT(log_settled);
    return {};
}

// Ends the transaction in any state, and returns the error.
Error SqliteWriter::abandon(Error error) {
    Connection& connection = *session_->connection;
    bool broken = connection.has_io_failed();
    if (connection.in_transaction() && !connection.execute("rollback")) {
        broken = true;
    }
    connection.clear_failure();
    session_->forget_new();
    if (broken) {
        session_.reset();
    }
    return error;
}

Result<Loaded> SqliteWriter::load(const LoadSpec& spec) {
    SEMEL_CHECK(options_.damage->check());
    if (session_ == nullptr) {
        SEMEL_CHECK(open_session());
    }
    SEMEL_CHECK(files_.check());
    SEMEL_CHECK(settle());
    Connection& connection = *session_->connection;
    SEMEL_CRASH_POINT(writer_before_begin);
    if (auto begun = connection.execute("begin immediate"); !begun) {
        return abandon(begun.error());
    }
    now_ = clock_->now();
    has_written_ = false;
    Loaded loaded = climb_ladder(session_->rows, spec, now_);
    if (auto outcome = connection.outcome(); !outcome) {
        return abandon(outcome.error());
    }
    return loaded;
}

Result<Written> SqliteWriter::write(const OwnWrites& writes) {
    SEMEL_ASSERT(session_ != nullptr);
    Connection& connection = *session_->connection;
    if (auto begun = connection.execute("savepoint own"); !begun) {
        return abandon(begun.error());
    }
    bool keeps = false;
    {
        const WriteGuard::Raised raised(session_->guard);
        SqliteTx tx(connection, session_->guard);
        keeps = writes(tx);
    }
    SEMEL_TRY(error, check_written());
    Written written{.error = std::move(error), .is_lost = !connection.in_transaction()};
    if (written.is_lost) {
        session_->forget_new();
        return written;
    }
    keeps = keeps && written.error.empty();
    if (auto ended = connection.execute(keeps ? "release own" : "rollback to own; release own");
        !ended) {
        return abandon(ended.error());
    }
    has_written_ = has_written_ || keeps;
    return written;
}

Result<std::string> SqliteWriter::check_written() {
    Connection& connection = *session_->connection;
    WriteGuard& guard = session_->guard;
    const bool checks_names = guard.has_changed_schema() && connection.in_transaction();
    const bool are_names_kept = !checks_names || guard.are_names_kept();
    if (auto outcome = connection.outcome(); !outcome) {
        return abandon(outcome.error());
    }
    if (guard.is_over()) {
        return std::string(kStatementsTookTooLong);
    }
    if (!connection.in_transaction()) {
        return std::string("your own statements ended the transaction, which is not theirs");
    }
    return std::string(are_names_kept ? "" : "your own tables have names that begin with `app_`");
}

Result<void> SqliteWriter::commit(const Changes& changes) {
    SEMEL_ASSERT(session_ != nullptr);
    Connection& connection = *session_->connection;
    const bool changed = !changes.empty() || has_written_;
    if (changed) {
        session_->save.save(changes, now_);
    }
    if (auto saved = connection.outcome(); !saved) {
        return abandon(saved.error());
    }
    SEMEL_CRASH_POINT_IF(changed, writer_before_commit);
    if (auto committed = connection.execute("commit"); !committed) {
        const bool io_failed = connection.has_io_failed();
        const Error error = abandon(committed.error());
        return io_failed ? resolve_log(error) : Result<void>(error);
    }
    SEMEL_CRASH_POINT_IF(changed, writer_committed);
    SEMEL_CRASH_POINT_IF(changed && !changes.schedules.empty(), schedule_committed);
    SEMEL_CRASH_POINT_IF(changed && starts_blocked_chain(changes), start_committed);
    SEMEL_CRASH_POINT_IF(changed && continues_chain(changes), continuation_committed);
    SEMEL_CRASH_POINT_IF(changed && releases_blocked(changes), release_committed);
    SEMEL_CRASH_POINT_IF(changed && leaves_untold(changes), untold_committed);
    session_->keep_new();
    commits_ += changed ? 1 : 0;
    if (auto named = files_.check(); !named) {
        // The commit is in a file that was removed or replaced. An operator must find it.
        return Error(ErrorCode::commit_unknown, named.error().message());
    }
    return {};
}

// If the log cannot be settled now, the next load settles it.
Result<void> SqliteWriter::resolve_log(const Error& error) {
    const Error unknown(ErrorCode::commit_unknown, error.message());
    suspect_ = commits_ + 1;
    if (!open_session()) {
        return unknown;
    }
    const bool is_there = commits_ >= *suspect_;
    if (!settle()) {
        return unknown;
    }
    return is_there ? Result<void>() : Result<void>(error);
}

Result<void> SqliteWriter::roll_back() {
    SEMEL_ASSERT(session_ != nullptr);
    auto undone = session_->connection->execute("rollback");
    session_->forget_new();
    return undone ? undone : Result<void>(abandon(undone.error()));
}

void SqliteWriter::end_transaction() {
    if (session_ != nullptr && session_->connection->in_transaction()) {
        (void)roll_back();  // a rollback that fails drops the session, and with it the transaction
    }
}

void SqliteWriter::checkpoint_if_due() {
    if (session_ == nullptr) {
        return;
    }
    const int pages = session_->connection->wal_pages();
    if (pages < tried_pages_) {
        checkpoint_at_ = checkpoint_pages_;  // the log started over
    }
    if (pages < checkpoint_at_) {
        return;
    }
    SEMEL_CRASH_POINT(checkpoint_begun);
    const bool complete = session_->connection->fold_log(Fold::what_is_free);
    SEMEL_CRASH_POINT(checkpoint_done);
    tried_pages_ = pages;
    checkpoint_at_ =
        pages + (complete ? checkpoint_pages_ : std::max(1, checkpoint_pages_ / kRetryPart));
}

}  // namespace semel::sqlite
