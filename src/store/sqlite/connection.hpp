// Connection: one SQLite connection, owned, and used by one thread at a time.
//
// The first failure of a statement is kept, and every later statement does nothing until
// `clear_failure`. So a run of look-ups or writes is written plainly and checked once, at its end.
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
    write,  // the one writer, which is also the only checkpointer
    read,   // query_only; never checkpoints, not even when it closes
    look,   // a file that nobody has open, as it stands: no log is read, and nothing is written
            // beside it either
    fill,   // a new file, thrown away if anything fails: no journal, no syncs
};

enum class Fold {
    what_is_free,  // waits for nobody
    all,           // waits for readers, a little; the log is empty afterwards
};

struct ConnectionOptions {
    std::string path;
    Access access = Access::write;
    std::string vfs;  // empty: the operating system's
    bool full_sync = true;
    int cache_kib = 0;
    std::shared_ptr<Damage> damage = {};  // where it is noted; null: nowhere
};

class Connection {
public:
    // The file exists. Sets every pragma that this access needs.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Runs statements that answer nothing of interest.
    [[nodiscard]] Result<void> execute(const std::string& sql);
    // The first column of the first row; 0 or empty where there is none.
    [[nodiscard]] Result<std::int64_t> query_int(const std::string& sql);
    [[nodiscard]] Result<std::string> query_text(const std::string& sql);

    // Copies the log into the file and syncs both. False: some of it is left, because a reader
    // needs it or the disk failed.
    [[nodiscard]] bool fold_log(Fold fold);
    // Closing leaves the log where it is.
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
    // Whether the disk or memory failed, after which the connection is replaced.
    [[nodiscard]] bool has_io_failed() const { return io_failed_; }
    void clear_failure();
    // Unless an earlier failure is kept already.
    void keep_failure(int code, std::string_view what);
    void keep_failure(Error error);

private:
    Connection() = default;
    [[nodiscard]] Result<void> set_up(const ConnectionOptions& options);
    // Fails unless the pragma answers so: SQLite keeps a setting that it cannot make, and says
    // what it kept.
    [[nodiscard]] Result<void> expect(const std::string& pragma, std::string_view answer);
    // What SQLite says about its last call.
    [[nodiscard]] Error describe(int code, std::string_view what);

    sqlite3* handle_ = nullptr;
    std::string path_;
    std::shared_ptr<Damage> damage_;
    std::optional<Error> failure_;
    bool io_failed_ = false;
    int wal_pages_ = 0;  // as of the last commit
};

}  // namespace semel::sqlite
