// LockFile: excludes other processes from a database while it exists. The operating system releases
// the lock when the process ends in any way. The database file is locked too, because it can have
// several names: two processes with two logs would lose each other's commits.
//
// Errors: see take(). Threads: one at a time.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"

namespace semel::sqlite {

class LockFile {
public:
    // Locks `<path>.lock` and the database, which is created (mode 0600) if missing. Error: `busy`
    // if another process has it, with that process in the text.
    // Lifetime: outlives every connection, because closing any descriptor of a file drops SQLite's
    // locks on it.
    [[nodiscard]] static Result<LockFile> take(const std::string& path);
    // The process that has the lock now, for messages, or nullopt. Creates no file.
    [[nodiscard]] static std::optional<std::string> holder(const std::string& path);
    ~LockFile();
    LockFile(LockFile&& other) noexcept;
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;
    LockFile& operator=(LockFile&&) = delete;

private:
    LockFile() = default;

    int lock_ = -1;
    int database_ = -1;
};

}  // namespace semel::sqlite
