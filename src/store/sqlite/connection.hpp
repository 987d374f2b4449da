// Connection: owns one SQLite connection.
//
// Errors: the connection keeps the first failure of a Statement, and later Statements do nothing
// until clear_failure(). So a sequence of reads or writes needs one check of outcome(), at its end.
// execute() and the queries return their errors instead.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite/damage.hpp"

struct sqlite3;

namespace semel::sqlite {

enum class Access {
    write,    // the one writer, which is also the only checkpointer
    read,     // query_only, never checkpoints, not even at its end
    inspect,  // a closed file: reads no log, writes nothing in its folder
    fill,     // a new file, deleted on failure: no journal, no syncs
};

enum class Fold {
    what_is_free,  // copies what no reader needs, without waiting
    all,           // waits up to 100 ms for readers, then the log is empty
};

struct ConnectionOptions {
    std::string path;
    Access access = Access::write;
    std::string vfs;  // empty: the operating system's
    bool full_sync = true;
    int cache_kib = 0;
    std::shared_ptr<Damage> damage = {};  // records damage; null: nowhere
};

class Connection {
public:
    // Opens an existing file and sets the pragmas for this access.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Runs statements and ignores their rows.
    [[nodiscard]] Result<void> execute(const std::string& sql);
    // Return the first column of the first row, or 0 or an empty text without a row.
    [[nodiscard]] Result<std::int64_t> query_int(const std::string& sql);
    [[nodiscard]] Result<std::string> query_text(const std::string& sql);

    // Copies the log into the file and syncs both. Returns false if a part of the log is left,
    // because a reader needs it or the disk failed.
    [[nodiscard]] bool fold_log(Fold fold);
    // Keeps the log when the connection is closed.
    void leave_log();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] sqlite3* handle() const { return handle_; }
    [[nodiscard]] bool in_transaction() const;
    [[nodiscard]] int changed_rows() const;           // by the last statement
    [[nodiscard]] std::int64_t inserted_row() const;  // the last one's number
    [[nodiscard]] int wal_pages() const { return wal_pages_; }

    // ---- the kept failure -----------------------------------------------------------------
    [[nodiscard]] bool has_failed() const { return failure_.has_value(); }
    [[nodiscard]] Result<void> outcome() const;
    // Returns true if the disk or memory failed. Then replace the connection.
    [[nodiscard]] bool has_io_failed() const { return io_failed_; }
    void clear_failure();
    // Keeps an error, unless an earlier one is kept.
    void keep_failure(int code, std::string_view what);
    void keep_failure(Error error);

private:
    Connection() = default;
    [[nodiscard]] Result<void> set_up(const ConnectionOptions& options);
    // Fails unless SQLite answers `answer` to the pragma. SQLite ignores a setting that it cannot
    // apply, and answers the setting that it kept.
    [[nodiscard]] Result<void> expect(const std::string& pragma, std::string_view answer);
    // The error of SQLite's last call.
    [[nodiscard]] Error describe(int code, std::string_view what);

    sqlite3* handle_ = nullptr;
    std::string path_;
    std::shared_ptr<Damage> damage_;
    std::optional<Error> failure_;
    bool io_failed_ = false;
    int wal_pages_ = 0;  // as of the last commit
};

}  // namespace semel::sqlite
