// LockFile: keeps a second process away from a database, for as long as it lives. The operating
// system gives the lock back when the process dies, however it dies.
#pragma once

#include <string>

#include "base/result.hpp"

namespace semel::sqlite {

class LockFile {
public:
    // Takes `<path>.lock`, or says who has it.
    [[nodiscard]] static Result<LockFile> take(const std::string& path);
    ~LockFile();
    LockFile(LockFile&& other) noexcept;
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;
    LockFile& operator=(LockFile&&) = delete;

private:
    explicit LockFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace semel::sqlite
