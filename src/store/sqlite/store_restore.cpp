#include "store/sqlite/store_restore.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "base/file.hpp"
#include "store/packing/row_pack.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr int kRestoreCacheKib = 1024;
constexpr std::int64_t kSchemaWithFences = 7;  // a store before it has none
// SQLite's files next to a database. SQLite would apply a leftover log to the new database.
constexpr const char* kBeside[] = {"-wal", "-shm"};

bool exists(const std::string& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

void remove_with_log(const std::string& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    for (const char* suffix : kBeside) {
        fs::remove(path + suffix, ignored);
    }
}

Result<void> rename_file(const std::string& from, const std::string& to) {
    return std::rename(from.c_str(), to.c_str()) == 0
               ? Result<void>()
               : file_error("rename " + from + " to", to, errno);
}

Result<void> check_backup(const std::string& file) {
    std::error_code ignored;
    if (fs::file_size(file + "-wal", ignored) > 0 && !ignored) {
        return Error(ErrorCode::refused,
                     fmt::format("{0} has a log beside it: it is a store that is open, or was not "
                                 "closed, and no backup; make one with `semel backup FILE "
                                 "--store {0}`",
                                 file));
    }
    return {};
}

Result<void> check_target(const RestoreOptions& options) {
    std::error_code ignored;
    const fs::path folder = fs::absolute(options.path, ignored).parent_path();
    if (!fs::is_directory(folder, ignored)) {
        return Error(ErrorCode::invalid,
                     fmt::format("cannot restore {}: there is no folder {}; create it first",
                                 options.path, folder.string()));
    }
    if (!exists(options.path)) {
        return {};
    }
    if (!fs::is_regular_file(options.path, ignored)) {
        return Error(ErrorCode::invalid,
                     fmt::format("cannot restore {}: it is not a file", options.path));
    }
    if (fs::equivalent(options.file, options.path, ignored)) {
        return Error(ErrorCode::invalid, options.path + " is the backup itself");
    }
    if (!options.replaces) {
        return Error(ErrorCode::refused,
                     fmt::format("there is a store {} already: --force keeps it under another name "
                                 "and restores",
                                 options.path));
    }
    return {};
}

Result<void> copy_bytes(const std::string& from, const std::string& to) {
    SEMEL_TRY(source, OpenFile::open(from));
    SEMEL_TRY(target, NewFile::create(to));
    for (std::uint64_t offset = 0; offset < source.size();) {
        SEMEL_TRY(piece, source.read(offset, kPieceBytes));
        if (piece.empty()) {
            return Error(ErrorCode::io_error, from + " became shorter while it was read");
        }
        SEMEL_CHECK(target.write(piece));
        offset += piece.size();
    }
    return target.sync();
}

ConnectionOptions writing(const std::string& path) {
    ConnectionOptions options;
    options.path = fs::absolute(path);
    options.cache_kib = kRestoreCacheKib;
    return options;
}

// Raises the token of each job that was running at the backup, and ends its lease. So its worker
// from then gets `stale_token`, and another worker takes the job over.
Result<void> fence_running(Connection& connection, Time mark) {
    std::map<std::int64_t, Job> running;  // by their row numbers, whose name depends on the schema
    {
        Statement select(connection, "select rowid, data from job where place = 2");
        Cursor row(select);
        while (row.next_row()) {
            Job& job = running[row.read_integer()];
            if (!unpack_job(row.view(), job) || !job.lease) {
                return Error(ErrorCode::corrupt, "a job that was running cannot be read");
            }
        }
    }
    Statement update(connection,
                     "update job set data = ?, deadline = min(deadline, ?) where rowid = ?");
    for (auto& [number, job] : running) {
        job.token = next_token(job.token, mark + Millis(1));
        job.lease->until = std::min(job.lease->until, mark);
        Cursor(update).bytes(pack_job(job)).time(mark).integer(number).change_one();
    }
    return connection.outcome();
}

// Returns the owned claims of effects, by their numbers.
Result<std::map<std::int64_t, Claim>> held_claims(Connection& connection) {
    std::map<std::int64_t, Claim> held;
    Statement select(connection, "select number, data from claim");
    Cursor row(select);
    while (row.next_row()) {
        const std::int64_t number = row.read_integer();
        Claim claim;
        if (!unpack_claim(row.view(), claim)) {
            return Error(ErrorCode::corrupt, "a claim cannot be read");
        }
        if (claim.state == ClaimState::owned && claim.effect) {
            held.emplace(number, std::move(claim));
        }
    }
    return held;
}

// Does the same for owned fences: the old owner can no longer seal. The next one takes over at
// once, and its answer says so, because the effect can have happened since the backup.
Result<void> fence_holders(Connection& connection, Time mark) {
    SEMEL_TRY(held, held_claims(connection));
    Statement update(connection, "update claim set data = ? where number = ?");
    for (auto& [number, claim] : held) {
        claim.token = next_token(claim.token, mark + Millis(1));
        claim.effect->lease_until = std::min(claim.effect->lease_until, mark);
        if (claim.effect->pass && claim.effect->pass->twin) {
            claim.effect->pass->twin->token = claim.token;  // the twins have one token
        }
        Cursor(update).bytes(pack_claim(claim)).integer(number).change_one();
    }
    SEMEL_CHECK(connection.execute(
        fmt::format("update source set held_until = min(held_until, {})", to_ms(mark))));
    return connection.outcome();
}

// Prepares the copy as a store. When it returns, the file is durable and has no log.
Result<void> begin_anew(const std::string& path, const StoreFileFacts& facts, Time mark) {
    SEMEL_TRY(connection, Connection::open(writing(path)));
    SEMEL_CHECK(connection->execute("begin immediate"));
    SEMEL_CHECK(fence_running(*connection, mark));
    if (facts.schema_version >= kSchemaWithFences) {
        SEMEL_CHECK(fence_holders(*connection, mark));
    }
    SEMEL_CHECK(connection->execute(
        fmt::format("update meta set time_mark = {}, commits = commits + 1; commit", to_ms(mark))));
    if (!connection->fold_log(Fold::all)) {
        return Error(ErrorCode::io_error, "cannot write " + path);
    }
    return {};
}

// Returns the time of the replaced store if it can be read. Copies its log into its file, so that
// one file is kept.
Time time_of_replaced(const std::string& path) {
    if (exists(path + "-wal")) {
        if (const auto connection = Connection::open(writing(path))) {
            static_cast<void>((*connection)->fold_log(Fold::all));
        }
    }
    const auto facts = inspect_store(path, {.state = FileState::closed, .checks_all = false});
    return facts ? facts->time_mark : Time();
}

// Keeps the old store under another name. If the file system has hard links, `path` exists until
// the rename that replaces it.
Result<void> keep_aside(const std::string& path, const std::string& aside) {
    for (const char* suffix : kBeside) {
        if (exists(path + suffix)) {
            SEMEL_CHECK(rename_file(path + suffix, aside + suffix));
        }
    }
    return ::link(path.c_str(), aside.c_str()) == 0 ? Result<void>() : rename_file(path, aside);
}

// The lock creates an empty file if the store is missing. A failed restore deletes that file.
class Placeholder {
public:
    explicit Placeholder(std::string path) : path_(std::move(path)) {}
    ~Placeholder() {
        std::error_code ignored;
        if (fs::file_size(path_, ignored) == 0 && !ignored) {
            fs::remove(path_, ignored);
        }
    }
    Placeholder(const Placeholder&) = delete;
    Placeholder& operator=(const Placeholder&) = delete;

private:
    const std::string path_;
};

// Deletes the unfinished file in its destructor, unless it was renamed.
class Draft {
public:
    explicit Draft(std::string path) : path_(std::move(path)) { remove_with_log(path_); }
    ~Draft() { remove_with_log(path_); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    const std::string path_;
};

std::string aside_name(const RestoreOptions& options) {
    std::string time = format_rfc3339(options.wall_clock);
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    return options.path + ".before-restore-" + time;
}

Result<void> put_in_place(const RestoreOptions& options, const std::string& draft,
                          Restored& restored) {
    if (restored.kept_aside.empty()) {
        for (const char* suffix : kBeside) {
            std::error_code ignored;
            fs::remove(options.path + suffix, ignored);  // of a store that no longer exists
        }
    } else {
        SEMEL_CHECK(keep_aside(options.path, restored.kept_aside));
    }
    SEMEL_CHECK(rename_file(draft, options.path));
    return sync_folder_of(options.path);
}

}  // namespace

Result<Restored> restore_store(const RestoreOptions& options) {
    Restored restored;
    SEMEL_TRY(facts, inspect_store(options.file, {}));
    SEMEL_CHECK(check_backup(options.file));
    SEMEL_CHECK(check_target(options));
    restored.facts = std::move(facts);
    const bool replaces = exists(options.path);
    const std::optional<Placeholder> placeholder =
        replaces ? std::nullopt : std::optional<Placeholder>(std::in_place, options.path);
    SEMEL_TRY(lock, LockFile::take(options.path));
    restored.time_mark = std::max(restored.facts.time_mark, options.wall_clock);
    if (replaces) {
        restored.kept_aside = aside_name(options);
        restored.time_mark = std::max(restored.time_mark, time_of_replaced(options.path));
    }
    const Draft draft(options.path + ".restoring");
    SEMEL_CHECK(copy_bytes(options.file, draft.path()));
    SEMEL_CHECK(begin_anew(draft.path(), restored.facts, restored.time_mark));
    SEMEL_CHECK(put_in_place(options, draft.path(), restored));
    return restored;
}

}  // namespace semel::sqlite
