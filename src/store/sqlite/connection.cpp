#include "store/sqlite/connection.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/file_system.hpp"

namespace semel::sqlite {
namespace {

// The log can grow in a burst. It is cut back to this size when it starts from its beginning.
constexpr std::int64_t kWalBytesKept = 64LL * 1024 * 1024;
// The wait while another connection recovers the log, or a reader ends.
constexpr int kWaitForOthersMs = 100;
constexpr std::size_t kSqlShown = 40;  // characters of a statement in an error

ErrorCode code_of(int sqlite_code) {
    switch (sqlite_code & 0xFF) {
        case SQLITE_FULL:
        case SQLITE_NOMEM: return ErrorCode::unavailable;
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return ErrorCode::busy;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB: return ErrorCode::corrupt;
        case SQLITE_CONSTRAINT:
        case SQLITE_TOOBIG: return ErrorCode::invalid;
        case SQLITE_PERM:
        case SQLITE_READONLY:
        case SQLITE_AUTH: return ErrorCode::refused;
        default: return ErrorCode::io_error;
    }
}

std::string advice_for(int sqlite_code, const std::string& path) {
    switch (sqlite_code & 0xFF) {
        case SQLITE_IOERR:
            return fmt::format("; the disk fails or is full ({}): make room on it, or look at it",
                               free_space_at(path));
        case SQLITE_FULL: return "; make room on the disk: work resumes by itself";
        case SQLITE_CORRUPT:
            return "; the file is damaged: stop the server, look at the file with `semel doctor "
                   "--store FILE`, and restore a backup with `semel restore`";
        case SQLITE_NOTADB: return "; the file is no SQLite database";
        case SQLITE_READONLY: return "; the file or its folder cannot be written";
        default: return "";
    }
}

// Returns the file as a URI, because one option can only be given in a URI.
std::string as_unchanging(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        const bool is_special = c == '%' || c == '?' || c == '#';
        uri +=
            is_special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return uri + "?immutable=1";
}

int remember_wal_pages(void* pages, sqlite3*, const char*, int count) {
    *static_cast<int*>(pages) = count;
    return SQLITE_OK;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const ConnectionOptions& options) {
    std::unique_ptr<Connection> connection(new Connection());
    connection->path_ = options.path;
    connection->damage_ = options.damage;
    // Readers also open for writing, because they use the log's shared index.
    const bool inspects = options.access == Access::inspect;
    const int flags = (inspects ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE) |
                      SQLITE_OPEN_NOMUTEX;
    const std::string name = inspects ? as_unchanging(options.path) : options.path;
    const int opened = sqlite3_open_v2(name.c_str(), &connection->handle_, flags,
                                       options.vfs.empty() ? nullptr : options.vfs.c_str());
    if (opened != SQLITE_OK) {
        return connection->describe(opened, "open");
    }
    SEMEL_CHECK(connection->set_up(options));
    return connection;
}

Connection::~Connection() {
    sqlite3_close(handle_);
}

Result<void> Connection::set_up(const ConnectionOptions& options) {
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, kWaitForOthersMs);
    SEMEL_CHECK(execute(fmt::format("pragma cache_size = -{}", options.cache_kib)));
    SEMEL_CHECK(
        execute("pragma mmap_size = 0; pragma temp_store = memory; pragma secure_delete = off"));
    if (options.access == Access::inspect) {
        return {};
    }
    if (options.access == Access::fill) {
        return execute("pragma journal_mode = off; pragma synchronous = off");
    }
    if (options.access == Access::read) {
        leave_log();
        SEMEL_CHECK(execute("pragma query_only = on; pragma wal_autocheckpoint = 0"));
        return expect("query_only", "1");
    }
    SEMEL_CHECK(expect("journal_mode = wal", "wal"));
    SEMEL_CHECK(execute(fmt::format("pragma synchronous = {}; pragma journal_size_limit = {}",
                                    options.full_sync ? "full" : "normal", kWalBytesKept)));
    SEMEL_CHECK(expect("synchronous", options.full_sync ? "2" : "1"));
    // Checkpoints are made after the replies, by SqliteWriter; the hook replaces SQLite's own.
    sqlite3_wal_hook(handle_, remember_wal_pages, &wal_pages_);
    return {};
}

Result<void> Connection::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? Result<void>() : Result<void>(describe(code, sql));
}

Result<void> Connection::expect(const std::string& pragma, std::string_view answer) {
    SEMEL_TRY(kept, query_text("pragma " + pragma));
    if (kept == answer) {
        return {};
    }
    return Error(ErrorCode::unavailable,
                 fmt::format("{}: SQLite answers `{}` to `pragma {}`, where Semel needs `{}`; does "
                             "the file system of this folder have shared memory and locks?",
                             path_, kept, pragma, answer));
}

Result<std::int64_t> Connection::query_int(const std::string& sql) {
    SEMEL_TRY(text, query_text(sql));
    return std::int64_t{std::atoll(text.c_str())};
}

Result<std::string> Connection::query_text(const std::string& sql) {
    std::string value;
    const auto read = [](void* out, int, char** columns, char**) {
        *static_cast<std::string*>(out) = columns[0] == nullptr ? "" : columns[0];
        return 0;
    };
    const int code = sqlite3_exec(handle_, sql.c_str(), read, &value, nullptr);
    return code == SQLITE_OK ? Result<std::string>(std::move(value))
                             : Result<std::string>(describe(code, sql));
}

bool Connection::fold_log(Fold fold) {
    int pages = 0;
    int copied = 0;
    const int mode = fold == Fold::all ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    const int code = sqlite3_wal_checkpoint_v2(handle_, nullptr, mode, &pages, &copied);
    return code == SQLITE_OK && copied == pages;
}

void Connection::leave_log() {
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

bool Connection::in_transaction() const {
    return sqlite3_get_autocommit(handle_) == 0;
}

int Connection::changed_rows() const {
    return sqlite3_changes(handle_);
}

std::int64_t Connection::inserted_row() const {
    return sqlite3_last_insert_rowid(handle_);
}

Result<void> Connection::outcome() const {
    return failure_ ? Result<void>(*failure_) : Result<void>();
}

void Connection::clear_failure() {
    failure_.reset();
    io_failed_ = false;
}

Error Connection::describe(int code, std::string_view what) {
    io_failed_ = io_failed_ || (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_NOMEM;
    const int extended = handle_ == nullptr ? code : sqlite3_extended_errcode(handle_);
    const char* reason = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
    const Error error(code_of(code),
                      fmt::format("{}: {} (SQLite {}, at `{}`){}", path_, reason, extended,
                                  what.substr(0, kSqlShown), advice_for(code, path_)));
    if (damage_ != nullptr && error.code() == ErrorCode::corrupt) {
        damage_->note(error);
    }
    return error;
}

void Connection::keep_failure(int code, std::string_view what) {
    keep_failure(describe(code, what));
}

void Connection::keep_failure(Error error) {
    if (!failure_) {
        failure_ = std::move(error);
    }
}

}  // namespace semel::sqlite
