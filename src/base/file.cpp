#include "base/file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace semel {
namespace {

constexpr mode_t kOwnerOnly = 0600;

ErrorCode code_of(int code) {
    switch (code) {
        case ENOENT:
        case ENOTDIR: return ErrorCode::not_found;
        case EACCES:
        case EPERM: return ErrorCode::refused;
        case EROFS:  // the disk cannot be written, as when it is full
        case ENOSPC:
        case EDQUOT: return ErrorCode::unavailable;
        default: return ErrorCode::io_error;
    }
}

}  // namespace

Error file_error(std::string_view doing, const std::string& path, int code) {
    return {code_of(code), fmt::format("cannot {} {}: {}", doing, path, std::strerror(code))};
}

Result<OpenFile> OpenFile::open(const std::string& path) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!fd || fstat(fd.get(), &status) != 0) {
        return file_error("read", path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return Error(ErrorCode::invalid, fmt::format("cannot read {}: it is not a file", path));
    }
    return OpenFile(std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

Result<std::string> OpenFile::read(std::uint64_t offset, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
        const ssize_t count =
            pread(fd_.get(), bytes.data() + got, size - got, static_cast<off_t>(offset + got));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return file_error("read", "the file", errno);
        }
        if (count == 0) {
            break;
        }
        got += static_cast<std::size_t>(count);
    }
    bytes.resize(got);
    return bytes;
}

Result<NewFile> NewFile::create(const std::string& path) {
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly));
    if (!fd) {
        return file_error("write", path, errno);
    }
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        return Error(ErrorCode::busy,
                     fmt::format("cannot write {}: another process is writing it", path));
    }
    if (ftruncate(fd.get(), 0) != 0 || fchmod(fd.get(), kOwnerOnly) != 0) {
        return file_error("write", path, errno);
    }
    return NewFile(std::move(fd), path);
}

Result<void> NewFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(fd_.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return file_error("write", path_, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Result<void> NewFile::sync() {
    return fsync(fd_.get()) == 0 ? Result<void>() : file_error("sync", path_, errno);
}

Result<void> sync_folder_of(const std::string& path) {
    std::error_code ignored;
    const std::string folder = std::filesystem::absolute(path, ignored).parent_path();
    const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd || fsync(fd.get()) != 0) {
        return file_error("sync the folder", folder, errno);
    }
    return {};
}

}  // namespace semel
