#include "support/crash_vfs.hpp"

#include <filesystem>
#include <fstream>

#include <sqlite3.h>

namespace semel::test {

void CrashVfs::cut_after(int calls) {
    const std::lock_guard lock(mutex_);
    calls_left_ = calls;
}

bool CrashVfs::is_cut() const {
    const std::lock_guard lock(mutex_);
    return is_cut_;
}

int CrashVfs::calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
}

bool CrashVfs::count_call() {
    ++calls_;
    if (calls_left_ && --*calls_left_ < 0) {
        is_cut_ = true;
    }
    return !is_cut_;
}

void CrashVfs::restore(Cut cut, std::mt19937_64& random) {
    const std::lock_guard lock(mutex_);
    const CrashDisk::Files found = disk_.cut(cut, random);
    for (const auto& [path, content] : found) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
        for (const char* suffix : {"-wal", "-shm"}) {
            if (!found.contains(path + suffix)) {
                std::filesystem::remove(path + suffix);
            }
        }
    }
    calls_left_.reset();
    is_cut_ = false;
}

int CrashVfs::before_open(const File& file) {
    const std::lock_guard lock(mutex_);
    if (!is_cut_ && !file.path.empty()) {
        disk_.open(file.path);
    }
    return is_cut_ ? SQLITE_IOERR : SQLITE_OK;
}

int CrashVfs::before_read(const File&) {
    return is_cut() ? SQLITE_IOERR_READ : SQLITE_OK;
}

// The write that the cut meets may have arrived in part.
int CrashVfs::before_write(const File& file, std::int64_t at, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (!is_cut_) {
        disk_.write(file.path, at, bytes);
    }
    return count_call() ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int CrashVfs::before_truncate(const File& file, std::int64_t size) {
    const std::lock_guard lock(mutex_);
    if (!is_cut_) {
        disk_.truncate(file.path, size);
    }
    return count_call() ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int CrashVfs::before_sync(const File& file) {
    const std::lock_guard lock(mutex_);
    if (!count_call()) {
        return SQLITE_IOERR_FSYNC;
    }
    disk_.sync(file.path);
    return SQLITE_OK;
}

int CrashVfs::before_delete(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (!count_call()) {
        return SQLITE_IOERR_DELETE;
    }
    disk_.remove(path);
    return SQLITE_OK;
}

}  // namespace semel::test
