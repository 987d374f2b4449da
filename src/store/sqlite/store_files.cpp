#include "store/sqlite/store_files.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>

namespace semel::sqlite {

StoreFiles::StoreFiles(const std::string& path) : path_(path), database_(inspect(path)) {}

void StoreFiles::remember_log() {
    forget_log();
    for (const char* suffix : {"-wal", "-shm"}) {
        if (const auto file = inspect(path_ + suffix)) {
            log_.push_back(*file);
        }
    }
}

void StoreFiles::forget_log() {
    log_.clear();
}

Result<void> StoreFiles::check() const {
    if (database_) {
        SEMEL_CHECK(check(*database_));
    }
    for (const Known& file : log_) {
        SEMEL_CHECK(check(file));
    }
    return {};
}

std::optional<StoreFiles::Known> StoreFiles::inspect(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    return Known{path, status.st_dev, status.st_ino};
}

Result<void> StoreFiles::check(const Known& file) {
    struct stat status {};
    if (stat(file.path.c_str(), &status) != 0 && errno != ENOENT) {
        return Error(ErrorCode::unavailable,
                     fmt::format("cannot look at {}: {}", file.path, std::strerror(errno)));
    }
    if (status.st_dev == file.device && status.st_ino == file.inode) {
        return {};
    }
    return Error(ErrorCode::unavailable,
                 fmt::format("the file {} was removed or replaced while running: nothing is "
                             "written any more; put it back, or start again with the file that "
                             "shall be used",
                             file.path));
}

}  // namespace semel::sqlite
