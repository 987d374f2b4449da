// SqliteWriter: the one connection that writes and checkpoints. Called only on the writer thread.
#pragma once

#include <memory>

#include "core/changes.hpp"
#include "core/load_spec.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/sqlite_save.hpp"
#include "store/store_clock.hpp"

namespace semel::sqlite {

class SqliteWriter {
public:
    // Migrates. `clock` is set before the first load.
    [[nodiscard]] static Result<std::unique_ptr<SqliteWriter>> open(ConnectionOptions options);
    // Notes the time, and folds the log into the file.
    ~SqliteWriter();
    SqliteWriter(const SqliteWriter&) = delete;
    SqliteWriter& operator=(const SqliteWriter&) = delete;

    // No time that was ever stored is later.
    [[nodiscard]] Time time_mark() const { return time_mark_; }
    void use_clock(StoreClock& clock) { clock_ = &clock; }

    // Begins a transaction. After an error none is open.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Saves (null: nothing) and commits. `commit_unknown`: neither success nor failure; any other
    // error: nothing was changed, and nothing of it will come back.
    [[nodiscard]] Result<void> commit(const Changes* changes);
    [[nodiscard]] Result<void> roll_back();

    // Rolls back what is open, if anything is.
    void end_transaction();

    // Folds the log into the file when it has grown. Called when nobody waits for a reply.
    void checkpoint_if_due();

private:
    struct Session {
        // `decisions` is meta.decisions.
        Session(std::unique_ptr<Connection> opened, std::int64_t decisions)
            : connection(std::move(opened)), save(*connection, names, decisions) {}

        std::unique_ptr<Connection> connection;
        NameTable names{*connection};
        SqliteRows rows{*connection, names};
        SqliteSave save;
    };

    explicit SqliteWriter(ConnectionOptions options) : options_(std::move(options)) {}
    [[nodiscard]] Result<void> open_session();
    [[nodiscard]] Error abandon(Error error);
    [[nodiscard]] Result<void> settle_failed_commit(const Error& error);

    const ConnectionOptions options_;
    StoreClock* clock_ = nullptr;
    std::unique_ptr<Session> session_;  // null: the disk failed; opened anew by the next load
    Time time_mark_;
    std::int64_t commits_ = 0;  // meta.commits
    Time now_;                  // of the open transaction
    int checkpointed_pages_ = 0;
};

}  // namespace semel::sqlite
