#include "store/sqlite/lock_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/unique_fd.hpp"

namespace semel::sqlite {
namespace {

constexpr mode_t kOwnerOnly = 0600;

// Returns the process that wrote the lock file last, which has the lock.
std::string holder_of(int descriptor) {
    std::array<char, 32> text{};
    const auto size = pread(descriptor, text.data(), text.size() - 1, 0);
    const std::string pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return pid.empty() ? "another process" : "process " + pid.substr(0, pid.find('\n'));
}

Result<int> open_own(const std::string& name, const char* what) {
    const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (descriptor < 0) {
        const bool refused = errno == EACCES || errno == EPERM;
        return Error(
            refused ? ErrorCode::refused : ErrorCode::io_error,
            fmt::format("cannot open {}{} for writing: {}", what, name, std::strerror(errno)));
    }
    return descriptor;
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& path) {
    const std::string name = path + ".lock";
    LockFile lock;
    SEMEL_TRY(lock_descriptor, open_own(name, "the lock file "));
    lock.lock_ = lock_descriptor;
    if (flock(lock.lock_, LOCK_EX | LOCK_NB) != 0) {
        return Error(ErrorCode::busy,
                     fmt::format("{} is in use by {}: stop that, or choose another file (its lock "
                                 "is {})",
                                 path, holder_of(lock.lock_), name));
    }
    SEMEL_TRY(database_descriptor, open_own(path, ""));
    lock.database_ = database_descriptor;
    if (flock(lock.database_, LOCK_EX | LOCK_NB) != 0) {
        return Error(
            ErrorCode::busy,
            fmt::format("{} is in use by another process, under another name: stop that, or "
                        "choose another file",
                        path));
    }
    // If this fails, only the error text of the next process lacks the number.
    const std::string pid = fmt::format("{}\n", getpid());
    [[maybe_unused]] const bool noted =
        ftruncate(lock.lock_, 0) == 0 && pwrite(lock.lock_, pid.data(), pid.size(), 0) > 0;
    return lock;
}

std::optional<std::string> LockFile::holder(const std::string& path) {
    const UniqueFd lock(open((path + ".lock").c_str(), O_RDONLY | O_CLOEXEC));
    if (!lock) {
        return std::nullopt;
    }
    // Takes a shared lock briefly, because there is no query without one.
    if (flock(lock.get(), LOCK_SH | LOCK_NB) == 0) {
        flock(lock.get(), LOCK_UN);
        return std::nullopt;
    }
    return holder_of(lock.get());
}

LockFile::~LockFile() {
    for (const int descriptor : {database_, lock_}) {
        if (descriptor >= 0) {
            close(descriptor);  // the file stays: a removal would race with the next process
        }
    }
}

LockFile::LockFile(LockFile&& other) noexcept
    : lock_(std::exchange(other.lock_, -1)), database_(std::exchange(other.database_, -1)) {}

}  // namespace semel::sqlite
