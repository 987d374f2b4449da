#include "cli/doctor/store_checks.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cli/byte_progress.hpp"
#include "cli/doctor/clock_words.hpp"
#include "cli/doctor/machine_checks.hpp"
#include "cli/store_facts.hpp"
#include "store/postgres/postgres_url.hpp"
#include "store/sqlite/file_system.hpp"
#include "store/sqlite/lock_file.hpp"

namespace semel::cli {

namespace {

// Longer than the pause of any worker.
constexpr Millis kDueTooLong = std::chrono::minutes(1);
constexpr Millis kStoreLately = std::chrono::hours(1);
// Store time corrects this difference within 10 s. A larger one means that the clock was set.
constexpr Millis kAheadMax = std::chrono::seconds(1);
// A long read or copy makes the log grow. Otherwise the log is cut back to 64 MiB.
constexpr std::uint64_t kLogBytesMax = std::uint64_t{512} << 20;

std::string seconds(Millis span) {
    return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(span).count());
}

void check_mode(Checkup& checkup, const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        return;
    }
    const unsigned mode = status.st_mode & 0777U;
    if ((mode & 0077U) == 0) {
        checkup.good("permissions", fmt::format("{:04o}: for its owner alone", mode));
    } else {
        checkup.warn("permissions", fmt::format("{:04o}: others can read payloads, or write", mode),
                     "chmod 600 " + path);
    }
}

void check_log(Checkup& checkup, const std::string& path) {
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(path + "-wal", missing);
    if (!missing && bytes > kLogBytesMax) {
        checkup.warn("log", fmt::format("{} in {}-wal", describe_bytes(bytes), path),
                     "something reads for long (a backup, a large list, another program): it "
                     "shrinks when that ends");
    }
}

void check_schema(Checkup& checkup, const sqlite::StoreFileFacts& facts) {
    checkup.good("schema", facts.is_schema_newest
                               ? fmt::format("version {}", facts.schema_version)
                               : fmt::format("version {}: migrated by the next `semel serve`",
                                             facts.schema_version));
}

void check_clock(Checkup& checkup, Time mark, Time now) {
    if (mark <= now + kAheadMax) {
        checkup.good("clock", "store time is not ahead of the wall clock");
        return;
    }
    warn_of_clock(checkup, now - mark);
}

void check_work(Checkup& checkup, const sqlite::StoreFileFacts& facts, Time now) {
    const auto& due = facts.oldest_due;
    if (due && now - due->scheduled_at > kDueTooLong) {
        checkup.warn("due work",
                     fmt::format("an action of type `{}` has been due for {}", due->type,
                                 seconds(now - due->scheduled_at)),
                     "start a worker: semel work --type " + due->type);
    } else {
        checkup.good("due work", "nothing waits long for a worker");
    }
    if (facts.failed_lately > 0) {
        checkup.warn("failures", fmt::format("{} failed in the last hour", facts.failed_lately),
                     "semel actions list --status failed");
    } else {
        checkup.good("failures", "none in the last hour");
    }
}

void check_durability(Checkup& checkup, const std::string& path) {
    const std::string memory = sqlite::memory_file_system_of(path);
    if (memory.empty()) {
        checkup.good("durability", "an acknowledged commit is synced to the disk");
    } else {
        checkup.warn("durability",
                     "the file is in memory (" + memory +
                         "): everything is lost with a power cut or a restart of this machine",
                     "keep the store on a disk");
    }
}

void check_sqlite(Checkup& checkup) {
    // SQLite's "WAL-reset bug" (sqlite.org/wal.html): a checkpoint that meets the commit of another
    // connection may forget a part of the log.
    checkup.good("sqlite", fmt::format("{}; releases before 3.51.3 can damage a file that two "
                                       "connections write: Semel writes with one, so let no other "
                                       "program write to it",
                                       sqlite::sqlite_version()));
}

sqlite::InspectOptions inspect_options(const std::string& path, bool is_held, Time now) {
    std::error_code missing;
    const bool has_log = std::filesystem::file_size(path + "-wal", missing) > 0 && !missing;
    sqlite::InspectOptions options;
    options.state = is_held || has_log ? sqlite::FileState::open : sqlite::FileState::closed;
    options.failed_since = now - kStoreLately;
    return options;
}

std::string advice_for(ErrorCode code, const std::string& path) {
    switch (code) {
        case ErrorCode::corrupt:
            return "stop the server and restore a backup: semel restore FILE --store " + path +
                   " --force";
        case ErrorCode::refused:
            return "name the file that `semel serve --store` is told, and use a program that is "
                   "not older than the one that wrote it";
        default: return "look at the path and at who may read it";
    }
}

}  // namespace

void check_store(Checkup& checkup, const std::string& path, Time now,
                 const std::optional<Config>& config) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        checkup.bad("store", "there is no store " + path,
                    "look at the path; `semel serve --store " + path + "` would make one");
        return;
    }
    const auto holder = sqlite::LockFile::holder(path);
    const auto facts = sqlite::inspect_store(path, inspect_options(path, holder.has_value(), now));
    if (!facts) {
        checkup.bad("store", facts.error().message(), advice_for(facts.error().code(), path));
        return;
    }
    checkup.good("store", path + ": " + describe(*facts));
    check_mode(checkup, path);
    checkup.good("lock", holder ? "in use by " + *holder : "in use by nobody");
    check_disk(checkup, path, facts->bytes);
    check_log(checkup, path);
    check_schema(checkup, *facts);
    checkup.good("integrity", "every page and row is as it should be");
    check_durability(checkup, path);
    check_sqlite(checkup);
    check_clock(checkup, facts->time_mark, now);
    check_work(checkup, *facts, now);
    if (config) {
        check_exposure(checkup, *config, facts->api_tokens);
    }
}

void check_exposure(Checkup& checkup, const Config& config, std::optional<std::int64_t> tokens) {
    const std::string address = config.listen.to_string();
    if (config.listen.is_loopback()) {
        checkup.good("exposure", address + " is for this machine alone");
        return;
    }
    if (tokens && *tokens == 0) {
        checkup.bad("exposure", address + " can be reached by others, and no API token exists",
                    "semel token create --store " + postgres::shown(config.store) +
                        " --name ops --scopes admin");
    } else if (!config.has_tls()) {
        checkup.warn("exposure", address + " without TLS: tokens and payloads are in the clear",
                     "set tls.cert and tls.key, or let a proxy on this machine do it");
    } else {
        checkup.good("exposure", address + " with TLS");
    }
}

}  // namespace semel::cli
