// Reads facts about a SQLite store from its file, without opening the store: counts, schema
// version, damage. For backups, restores, transfers and `semel doctor`. Changes no row. Another
// process can have the file open: see FileState.
//
// Errors: see inspect_store().
// Threads: any. Blocks, with `checks_all` as long as reading the whole file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/words.hpp"

namespace semel::sqlite {

enum class FileState {
    closed,  // no process has it open: a backup, or a store that was closed
    open,    // a process has it open, or died with it: the log is read too
};

struct InspectOptions {
    FileState state = FileState::closed;
    bool checks_all = true;  // reads every page and row, so it takes as long as reading the file
    std::optional<Time> failed_since = {};  // counts jobs that failed since then
};

struct DueJob {
    std::string type;
    Time scheduled_at;
};

struct StoreFileFacts {
    std::uint64_t bytes = 0;
    std::int64_t schema_version = 0;
    bool is_schema_newest = true;  // false: opening the store migrates it
    Time time_mark;                // no stored time is later
    std::int64_t commits = 0;      // since the store was created
    std::map<Status, std::int64_t> jobs;
    std::int64_t api_tokens = 0;
    std::optional<DueJob> oldest_due;  // the oldest job that waits for a worker
    std::int64_t failed_lately = 0;
};

// Returns the facts about a file. Errors, with a text: the file is missing, no database, another
// program's, empty, damaged, or newer than this program.
[[nodiscard]] Result<StoreFileFacts> inspect_store(const std::string& path,
                                                   const InspectOptions& options);

// Returns the version of the SQLite library, like "3.40.1".
[[nodiscard]] std::string sqlite_version();

}  // namespace semel::sqlite
