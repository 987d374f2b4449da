#include "store/sqlite/sqlite_store.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "store/sqlite/file_system.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/migrations.hpp"
#include "store/sqlite/read_session.hpp"
#include "store/sqlite/sqlite_committer.hpp"
#include "store/sqlite/store_copier.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/threads/queued_reads.hpp"

namespace semel {
namespace sqlite {
namespace {

using SqliteReads = QueuedReads<ReadSession>;

constexpr std::size_t kReaders = 2;          // a long list leaves one for short reads
constexpr std::size_t kWriterTasksMax = 16;  // a committer runs one step at a time

Result<void> check_path(const std::string& path) {
    if (path.empty() || path == ":memory:") {
        return Error(ErrorCode::invalid,
                     "an SQLite store needs a file; what lives in memory alone is forgotten");
    }
    std::error_code error;
    const auto folder = std::filesystem::absolute(path, error).parent_path();
    if (!std::filesystem::is_directory(folder, error)) {
        return Error(ErrorCode::not_found, fmt::format("cannot open {}: there is no folder {}; "
                                                       "create it first",
                                                       path, folder.string()));
    }
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
        return Error(ErrorCode::invalid, fmt::format("cannot open {}: it is not a file", path));
    }
    return {};
}

class SqliteStore final : public Store {
public:
    SqliteStore(const SqliteOptions& options, LockFile lock, std::unique_ptr<SqliteWriter> writer,
                std::unique_ptr<SqliteReads> reads, const ConnectionOptions& copying)
        : path_(options.path),
          full_sync_(options.full_sync),
          memory_file_system_(memory_file_system_of(options.path)),
          lock_(std::move(lock)),
          clock_(options.clock, writer->time_mark() + Millis(1)),
          writer_(std::move(writer)),
          reads_(std::move(reads)),
          copier_(copying),
          writer_thread_(kWriterTasksMax) {
        writer_->use_clock(clock_);
    }

    [[nodiscard]] std::unique_ptr<Committer> open_committer(Post post) override {
        return std::make_unique<SqliteCommitter>(*writer_, writer_thread_, std::move(post));
    }

    [[nodiscard]] Reads& reads() override { return *reads_; }
    void copy(IsWanted is_wanted, Done<OpenFile> done) override {
        copier_.copy(std::move(is_wanted), done);
    }
    [[nodiscard]] bool is_shared() const override {
        return false;
    }  // the lock file excludes other processes
    [[nodiscard]] Time now() const override { return clock_.now(); }
    [[nodiscard]] Millis clock_offset() const override { return clock_.offset(); }

    [[nodiscard]] StoreInfo info() const override {
        StoreInfo info;
        info.kind = "sqlite";
        info.location = path_;
        info.is_durable = full_sync_ && memory_file_system_.empty();
        info.durability = durability();
        return info;
    }

private:
    [[nodiscard]] std::string durability() const {
        if (!memory_file_system_.empty()) {
            return fmt::format(
                "everything is lost with a power cut or a restart of this machine: the file is in "
                "memory ({})",
                memory_file_system_);
        }
        return full_sync_ ? "an acknowledged commit is synced to this machine's disk: it survives "
                            "a crash and a power cut"
                          : "a power cut may lose the last commits (synchronous=NORMAL)";
    }

    const std::string path_;
    const bool full_sync_;
    const std::string memory_file_system_;
    const LockFile lock_;  // declared first, so it is destroyed after the connections
    mutable StoreClock clock_;
    const std::unique_ptr<SqliteWriter> writer_;  // used on writer_thread_ alone
    const std::unique_ptr<SqliteReads> reads_;
    StoreCopier copier_;
    TaskThread writer_thread_;  // last: ends first
};

Result<std::unique_ptr<Store>> open_store(const SqliteOptions& options) {
    SEMEL_CHECK(check_path(options.path));
    SEMEL_TRY(lock, LockFile::take(options.path));
    SEMEL_CRASH_POINT(store_locked);
    StoreCopier::sweep(options.path);
    // Absolute: SQLite would read `file:` at the start as a URL, and the process may change its
    // folder before the next connection is opened.
    const ConnectionOptions writing{.path = std::filesystem::absolute(options.path),
                                    .access = Access::write,
                                    .vfs = options.vfs,
                                    .full_sync = options.full_sync,
                                    .cache_kib = options.writer_cache_kib,
                                    .damage = std::make_shared<Damage>()};
    SEMEL_TRY(writer,
              SqliteWriter::open(writing, options.checkpoint_pages, options.segment_claims));
    ConnectionOptions reading = writing;
    reading.access = Access::read;
    reading.cache_kib = options.reader_cache_kib;
    std::vector<ReadSession> readers;
    for (std::size_t i = 0; i < kReaders; ++i) {
        SEMEL_TRY(session, ReadSession::open(reading));
        readers.push_back(std::move(session));
    }
    SEMEL_CRASH_POINT(store_opened);
    return std::unique_ptr<Store>(
        std::make_unique<SqliteStore>(options, std::move(lock), std::move(writer),
                                      std::make_unique<SqliteReads>(std::move(readers)), reading));
}

Result<SchemaVersions> inspect_schema(const std::string& path) {
    SEMEL_CHECK(check_path(path));
    // A non-empty log means that a process has the store open, or died with it.
    std::error_code ignored;
    const bool has_log = std::filesystem::exists(path + "-wal", ignored);
    SEMEL_TRY(facts, inspect_store(path, {.state = has_log ? FileState::open : FileState::closed,
                                          .checks_all = false}));
    return SchemaVersions{facts.schema_version, newest_schema_version()};
}

Result<SchemaVersions> migrate_schema(const std::string& path) {
    SEMEL_CHECK(check_path(path));
    SEMEL_TRY(lock, LockFile::take(path));
    ConnectionOptions writing;
    writing.path = std::filesystem::absolute(path);
    writing.cache_kib = SqliteOptions().reader_cache_kib;
    SEMEL_TRY(connection, Connection::open(writing));
    return migrate(*connection);
}

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options) {
    return sqlite::open_store(options);
}

Result<SchemaVersions> inspect_sqlite_schema(const std::string& path) {
    return sqlite::inspect_schema(path);
}

Result<SchemaVersions> migrate_sqlite_schema(const std::string& path) {
    return sqlite::migrate_schema(path);
}

}  // namespace semel
