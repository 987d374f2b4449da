#include "store/sqlite/sqlite_writer.hpp"

#include <sqlite3.h>

#include "store/ladder.hpp"
#include "store/sqlite/migrations.hpp"

namespace semel::sqlite {
namespace {

// Small and often: a large log makes the commit that meets its checkpoint slow.
constexpr int kCheckpointPages = 1000;

}  // namespace

Result<std::unique_ptr<SqliteWriter>> SqliteWriter::open(ConnectionOptions options) {
    std::unique_ptr<SqliteWriter> writer(new SqliteWriter(std::move(options)));
    SEMEL_CHECK(writer->open_session());
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
    // So that time does not go back for those who only read. Nothing rests on it: what a commit
    // stored, it marked.
    session_->save.save_mark(clock_->now());
}

Result<void> SqliteWriter::open_session() {
    SEMEL_TRY(connection, Connection::open(options_));
    SEMEL_CHECK(migrate(*connection));
    SEMEL_TRY(mark, connection->query_int("select time_mark from meta"));
    SEMEL_TRY(commits, connection->query_int("select commits from meta"));
    SEMEL_TRY(decisions, connection->query_int("select decisions from meta"));
    auto session = std::make_unique<Session>(std::move(connection), decisions);
    SEMEL_CHECK(session->connection->outcome());
    session_ = std::move(session);
    time_mark_ = from_ms(mark);
    commits_ = commits;
    checkpointed_pages_ = 0;
    return {};
}

// Ends the transaction, whatever state it is in.
Error SqliteWriter::abandon(Error error) {
    Connection& connection = *session_->connection;
    bool broken = connection.has_io_failed();
    if (connection.in_transaction() && !connection.execute("rollback")) {
        broken = true;
    }
    connection.clear_failure();
    session_->names.forget_new();
    if (broken) {
        session_.reset();
    }
    return error;
}

Result<Loaded> SqliteWriter::load(const LoadSpec& spec) {
    if (session_ == nullptr) {
        SEMEL_CHECK(open_session());
    }
    Connection& connection = *session_->connection;
    if (auto begun = connection.execute("begin immediate"); !begun) {
        return abandon(begun.error());
    }
    now_ = clock_->now();
    Loaded loaded = climb_ladder(session_->rows, spec, now_);
    if (auto outcome = connection.outcome(); !outcome) {
        return abandon(outcome.error());
    }
    return loaded;
}

Result<void> SqliteWriter::commit(const Changes* changes) {
    SEMEL_ASSERT(session_ != nullptr);
    Connection& connection = *session_->connection;
    const bool changed = changes != nullptr && !changes->empty();
    if (changed) {
        session_->save.save(*changes, now_);
    }
    if (auto saved = connection.outcome(); !saved) {
        return abandon(saved.error());
    }
    if (auto committed = connection.execute("commit"); !committed) {
        const bool io_failed = connection.has_io_failed();
        const Error error = abandon(committed.error());
        return io_failed ? settle_failed_commit(error) : Result<void>(error);
    }
    session_->names.keep_new();
    commits_ += changed ? 1 : 0;
    return {};
}

// The end of the log may hold the whole commit although the disk refused to sync it: a crash could
// bring it back. So something else is committed over it before anyone is told that it failed.
Result<void> SqliteWriter::settle_failed_commit(const Error& error) {
    const Error unknown(ErrorCode::commit_unknown, error.message());
    const std::int64_t failed = commits_ + 1;
    if (!open_session()) {
        return unknown;
    }
    Connection& connection = *session_->connection;
    if (commits_ == failed) {
        // It came back already. Copied into the file and synced there, it is durable.
        return connection.execute("pragma wal_checkpoint(truncate)") ? Result<void>()
                                                                     : Result<void>(unknown);
    }
    session_->save.save_mark(now_);
    if (!connection.outcome()) {
        session_.reset();
        return unknown;
    }
    ++commits_;
    return error;
}

Result<void> SqliteWriter::roll_back() {
    SEMEL_ASSERT(session_ != nullptr);
    auto undone = session_->connection->execute("rollback");
    session_->names.forget_new();
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
    if (pages < checkpointed_pages_) {
        checkpointed_pages_ = 0;  // the log started over
    }
    if (pages - checkpointed_pages_ < kCheckpointPages) {
        return;
    }
    // A checkpoint that fails is tried again; what it would have copied stays in the log.
    sqlite3_wal_checkpoint_v2(session_->connection->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                              nullptr, nullptr);
    checkpointed_pages_ = pages;
}

}  // namespace semel::sqlite
