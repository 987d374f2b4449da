#include "support/faulty_vfs.hpp"

#include <cstring>
#include <new>

#include <sqlite3.h>

#include "base/assert.hpp"

namespace semel::test {
namespace {

FaultyVfs* current = nullptr;
sqlite3_vfs* real = nullptr;
sqlite3_vfs faulty;

// What SQLite calls a file; the real one lies behind it in memory.
struct File {
    sqlite3_file base;
    bool is_log;
};

sqlite3_file* real_of(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<File*>(file) + 1);
}

bool is_log(sqlite3_file* file) {
    return reinterpret_cast<File*>(file)->is_log;
}

// True: it is this call's turn to fail.
bool take_one(std::atomic<int>& count) {
    int left = count.load();
    while (left > 0) {
        if (count.compare_exchange_weak(left, left - 1)) {
            return true;
        }
    }
    return false;
}

int close_file(sqlite3_file* file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 at) {
    if (take_one(current->reads_to_fail)) {
        return SQLITE_IOERR_READ;
    }
    return real_of(file)->pMethods->xRead(real_of(file), out, size, at);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    if (is_log(file) && current->is_full) {
        return SQLITE_FULL;
    }
    if (is_log(file) && current->writes_before_fail >= 0 &&
        current->writes_before_fail.fetch_sub(1) == 0) {
        return SQLITE_IOERR_WRITE;
    }
    return real_of(file)->pMethods->xWrite(real_of(file), data, size, at);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
    if (is_log(file) && take_one(current->syncs_to_fail)) {
        return SQLITE_IOERR_FSYNC;
    }
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

int lock_file(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

int unlock_file(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

int check_reserved(sqlite3_file* file, int* out) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

int file_control(sqlite3_file* file, int operation, void* argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

int sector_size(sqlite3_file* file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

int device_characteristics(sqlite3_file* file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

void shm_barrier(sqlite3_file* file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

int shm_unmap(sqlite3_file* file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

const sqlite3_io_methods kMethods = {2,
                                     close_file,
                                     read_file,
                                     write_file,
                                     truncate_file,
                                     sync_file,
                                     file_size,
                                     lock_file,
                                     unlock_file,
                                     check_reserved,
                                     file_control,
                                     sector_size,
                                     device_characteristics,
                                     shm_map,
                                     shm_lock,
                                     shm_barrier,
                                     shm_unmap,
                                     nullptr,
                                     nullptr};

// As on a file system without shared memory: SQLite knows by the version.
const sqlite3_io_methods kMethodsWithoutMemory = [] {
    sqlite3_io_methods methods = kMethods;
    methods.iVersion = 1;
    return methods;
}();

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    auto* opened = new (file) File{};
    opened->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    const int code = real->xOpen(real, name, real_of(file), flags, out_flags);
    const auto* methods = current->has_shared_memory ? &kMethods : &kMethodsWithoutMemory;
    opened->base.pMethods = real_of(file)->pMethods == nullptr ? nullptr : methods;
    return code;
}

}  // namespace

FaultyVfs::FaultyVfs(std::string name) : name_(std::move(name)) {
    SEMEL_ASSERT(current == nullptr);
    current = this;
    real = sqlite3_vfs_find(nullptr);
    faulty = *real;  // the functions about names and randomness are the same
    faulty.zName = name_.c_str();
    faulty.szOsFile = static_cast<int>(sizeof(File)) + real->szOsFile;
    faulty.xOpen = open_file;
    SEMEL_ASSERT(sqlite3_vfs_register(&faulty, 0) == SQLITE_OK);
}

FaultyVfs::~FaultyVfs() {
    sqlite3_vfs_unregister(&faulty);
    current = nullptr;
}

}  // namespace semel::test
