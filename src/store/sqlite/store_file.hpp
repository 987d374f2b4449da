// What a store's file says of itself, for those who look at it without opening the store: backups,
// restores, the doctor. Nothing is changed.
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
    closed,  // nobody has it open: a backup, or a store whose process has ended well
    open,    // somebody may have it, or died with it: its log is read too
};

struct LookOptions {
    FileState state = FileState::closed;
    bool checks_all = true;                 // every page and row, which takes as long as reading
    std::optional<Time> failed_since = {};  // jobs are counted from then on
};

struct DueJob {
    std::string type;
    Time scheduled_at;
};

struct StoreFileFacts {
    std::uint64_t bytes = 0;
    std::int64_t schema_version = 0;
    bool is_schema_newest = true;  // false: migrated when it is opened
    Time time_mark;                // no stored time is later
    std::int64_t commits = 0;      // since it was made
    std::map<Status, std::int64_t> jobs;
    std::int64_t api_tokens = 0;
    std::optional<DueJob> oldest_due;  // of those that wait for a worker
    std::int64_t failed_lately = 0;
};

// Refuses, in words, what is no file, no database, another program's, empty, damaged or of a newer
// program.
[[nodiscard]] Result<StoreFileFacts> look_at_store(const std::string& path,
                                                   const LookOptions& options);

// "3.40.1".
[[nodiscard]] std::string sqlite_version();

}  // namespace semel::sqlite
