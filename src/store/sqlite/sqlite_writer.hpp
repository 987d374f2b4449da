// SqliteWriter: the only connection that writes to the file and checkpoints its log.
//
// Call load(), any number of write(), then commit() or roll_back().
//
// Errors: see the members. After an error no transaction is open. If the disk failed, the next load
// opens a new connection.
// Threads: the writer thread. All members block.
#pragma once

#include <memory>

#include "core/batch/changes.hpp"
#include "core/batch/load_spec.hpp"
#include "store/clocks/store_clock.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/sqlite_save.hpp"
#include "store/sqlite/store_files.hpp"
#include "store/sqlite/write_guard.hpp"
#include "store/store.hpp"

namespace semel::sqlite {

class SqliteWriter {
public:
    // Opens the file, migrates it, and checks that every table and index can be read.
    // `checkpoint_pages`: the log is copied into the file after this growth. REQUIRES: `options`
    // has a Damage, and use_clock() is called before the first load.
    [[nodiscard]] static Result<std::unique_ptr<SqliteWriter>> open(ConnectionOptions options,
                                                                    int checkpoint_pages,
                                                                    std::size_t segment_claims);
    // Stores the current time, and copies the log into the file.
    ~SqliteWriter();
    SqliteWriter(const SqliteWriter&) = delete;
    SqliteWriter& operator=(const SqliteWriter&) = delete;

    // The latest time in the store.
    [[nodiscard]] Time time_mark() const { return time_mark_; }
    void use_clock(StoreClock& clock) { clock_ = &clock; }

    // Begins a transaction and loads the rows. A commit with an unknown result is settled first: it
    // is made durable, or overwritten.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Runs the caller's statements in a savepoint of the transaction.
    [[nodiscard]] Result<Written> write(const OwnWrites& writes);
    // Saves the changes and commits. `commit_unknown`: the commit might be durable or not. After
    // any other error nothing was changed, also after a restart.
    [[nodiscard]] Result<void> commit(const Changes& changes);
    [[nodiscard]] Result<void> roll_back();

    // Rolls back the open transaction, if there is one.
    void end_transaction();

    // Copies the log into the file if it has grown enough. Call it after the replies were sent.
    void checkpoint_if_due();

private:
    struct Session {
        // `decisions`: the value of meta.decisions.
        Session(std::unique_ptr<Connection> opened, std::size_t segment_claims,
                std::int64_t decisions)
            : connection(std::move(opened)),
              claims(*connection, segment_claims),
              save(*connection, names, numbers, claims, decisions) {}

        // End a transaction for names and claims in memory: keep its additions, or drop them.
        void keep_new() {
            names.keep_new();
            claims.keep_new();
        }
        void forget_new() {
            names.forget_new();
            claims.forget_new();
        }

        std::unique_ptr<Connection> connection;
        WriteGuard guard{*connection};  // constructed before any statement
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
    // Returns the reason against keeping the effects of a caller's statements, or an empty text.
    [[nodiscard]] Result<std::string> check_written();
    [[nodiscard]] Result<void> resolve_log(const Error& error);

    const ConnectionOptions options_;
    const int checkpoint_pages_;
    const std::size_t segment_claims_;
    StoreFiles files_;
    StoreClock* clock_ = nullptr;
    std::unique_ptr<Session> session_;  // null: the disk failed; the next load opens another
    Time time_mark_;
    std::int64_t commits_ = 0;  // meta.commits
    Time now_;                  // of the open transaction
    bool has_written_ = false;  // a caller's statements have changed it
    // The number (meta.commits) of a commit that might not be on the disk, nor the log before it.
    // At first this is the log that an earlier process left.
    std::optional<std::int64_t> suspect_ = 0;
    int tried_pages_ = 0;    // the log's length at the last checkpoint
    int checkpoint_at_ = 0;  // and at the next one
};

}  // namespace semel::sqlite
