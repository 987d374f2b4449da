// LockFile: keeps a second process away from a database, for as long as it lives. The operating
// system gives the lock back when the process dies, however it dies. The database itself is locked
// too, because it may have several names: two processes with two logs beside one database would
// lose each other's commits.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"

namespace semel::sqlite {

class LockFile {
public:
    // Takes `<path>.lock` and the database, which is created (0600) if it is missing; or says who
    // has it. It must outlive every connection: closing any descriptor of a file makes the system
    // forget the locks that SQLite has on it.
    [[nodiscard]] static Result<LockFile> take(const std::string& path);
    // Who has it now, in words; nothing: nobody. Makes no file.
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
