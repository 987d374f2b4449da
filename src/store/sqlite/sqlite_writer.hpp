// SqliteWriter: the one connection that writes and checkpoints. Called only on the writer thread.
#pragma once

#include <memory>

#include "core/changes.hpp"
#include "core/load_spec.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/sqlite_save.hpp"
#include "store/sqlite/store_files.hpp"
#include "store/sqlite/write_guard.hpp"
#include "store/store.hpp"
#include "store/store_clock.hpp"

namespace semel::sqlite {

class SqliteWriter {
public:
    // Migrates, and looks whether all of it can be read. REQUIRES: the options have a place for
    // damage. `clock` is set before the first load. The log is folded into the file each time it
    // has grown by `checkpoint_pages`.
    [[nodiscard]] static Result<std::unique_ptr<SqliteWriter>> open(ConnectionOptions options,
                                                                    int checkpoint_pages,
                                                                    std::size_t segment_claims);
    // Notes the time, and folds the log into the file.
    ~SqliteWriter();
    SqliteWriter(const SqliteWriter&) = delete;
    SqliteWriter& operator=(const SqliteWriter&) = delete;

    // No time that was ever stored is later.
    [[nodiscard]] Time time_mark() const { return time_mark_; }
    void use_clock(StoreClock& clock) { clock_ = &clock; }

    // Begins a transaction, when the fate of all before it is known and final. After an error none
    // is open.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Runs a caller's statements in a savepoint of the transaction. After an error none is open.
    [[nodiscard]] Result<Written> write(const OwnWrites& writes);
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
        Session(std::unique_ptr<Connection> opened, std::size_t segment_claims,
                std::int64_t decisions)
            : connection(std::move(opened)),
              claims(*connection, segment_claims),
              save(*connection, names, numbers, claims, decisions) {}

        // How the transaction ended, for what is remembered beside the file.
        void keep_new() {
            names.keep_new();
            claims.keep_new();
        }
        void forget_new() {
            names.forget_new();
            claims.forget_new();
        }

        std::unique_ptr<Connection> connection;
        WriteGuard guard{*connection};  // before any statement
        NameTable names{*connection};
        JobNumbers numbers{*connection};
        ClaimTable claims;
        SqliteRows rows{*connection, names, numbers, &claims};
        SqliteSave save;
    };

    SqliteWriter(ConnectionOptions options, int checkpoint_pages, std::size_t segment_claims)
        : options_(std::move(options)),
          checkpoint_pages_(checkpoint_pages),
          segment_claims_(segment_claims),
          files_(options_.path) {}
    [[nodiscard]] Result<void> open_session();
    [[nodiscard]] Result<void> settle();
    [[nodiscard]] Error abandon(Error error);
    // What stands against keeping what a caller's statements did, if anything.
    [[nodiscard]] Result<std::string> check_written();
    [[nodiscard]] Result<void> settle_failed_commit(const Error& error);

    const ConnectionOptions options_;
    const int checkpoint_pages_;
    const std::size_t segment_claims_;
    StoreFiles files_;
    StoreClock* clock_ = nullptr;
    std::unique_ptr<Session> session_;  // null: the disk failed; opened anew by the next load
    Time time_mark_;
    std::int64_t commits_ = 0;  // meta.commits
    Time now_;                  // of the open transaction
    bool has_written_ = false;  // a caller's statements, in it
    // A commit by its number in meta: it, and what stands before it in the log, may not be on the
    // disk. At first that is whatever a process that died has left in the log.
    std::optional<std::int64_t> suspect_ = 0;
    int tried_pages_ = 0;    // the log's length at the last checkpoint
    int checkpoint_at_ = 0;  // and at the next one
};

}  // namespace semel::sqlite
