#include "store/sqlite/lock_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace semel::sqlite {
namespace {

constexpr mode_t kOwnerOnly = 0600;

// Who wrote the lock file last; it is held by them.
std::string holder_of(int descriptor) {
    std::array<char, 32> text{};
    const auto size = pread(descriptor, text.data(), text.size() - 1, 0);
    const std::string pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return pid.empty() ? "another process" : "process " + pid.substr(0, pid.find('\n'));
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& path) {
    const std::string name = path + ".lock";
    const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (descriptor < 0) {
        const bool refused = errno == EACCES || errno == EPERM || errno == EROFS;
        return Error(refused ? ErrorCode::refused : ErrorCode::io_error,
                     fmt::format("cannot create the lock file {}: {}", name, std::strerror(errno)));
    }
    LockFile lock(descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        return Error(ErrorCode::busy,
                     fmt::format("{} is in use by {}: stop that, or choose another file (its lock "
                                 "is {})",
                                 path, holder_of(descriptor), name));
    }
    // If this fails, only the next one's error text is poorer for it.
    const std::string pid = fmt::format("{}\n", getpid());
    [[maybe_unused]] const bool noted =
        ftruncate(descriptor, 0) == 0 && pwrite(descriptor, pid.data(), pid.size(), 0) > 0;
    return lock;
}

LockFile::~LockFile() {
    if (descriptor_ >= 0) {
        close(
            descriptor_);  // the file stays: removing it would race with the next one who takes it
    }
}

LockFile::LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace semel::sqlite
