#include "support/passing_vfs.hpp"

#include <new>

#include <sqlite3.h>

#include "base/assert.hpp"

namespace semel::test {
namespace {

PassingVfs* current = nullptr;
sqlite3_vfs* real = nullptr;
sqlite3_vfs passing;

// What SQLite calls a file; the real one lies behind it in memory.
struct OpenFile {
    sqlite3_file base;
    PassingVfs::File* about;
};

sqlite3_file* real_of(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<OpenFile*>(file) + 1);
}

const PassingVfs::File& about(sqlite3_file* file) {
    return *reinterpret_cast<OpenFile*>(file)->about;
}

int close_file(sqlite3_file* file) {
    delete reinterpret_cast<OpenFile*>(file)->about;
    return real_of(file)->pMethods->xClose(real_of(file));
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 at) {
    const int code = current->before_read(about(file));
    return code != SQLITE_OK ? code : real_of(file)->pMethods->xRead(real_of(file), out, size, at);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    const std::string_view bytes(static_cast<const char*>(data), static_cast<std::size_t>(size));
    const int code = current->before_write(about(file), at, bytes);
    return code != SQLITE_OK ? code
                             : real_of(file)->pMethods->xWrite(real_of(file), data, size, at);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    const int code = current->before_truncate(about(file), size);
    return code != SQLITE_OK ? code : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
    const int code = current->before_sync(about(file));
    return code != SQLITE_OK || !current->syncs()
               ? code
               : real_of(file)->pMethods->xSync(real_of(file), flags);
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
    auto* opened = new (file) OpenFile{};
    PassingVfs::File description{name == nullptr ? "" : name, (flags & SQLITE_OPEN_WAL) != 0};
    int code = current->before_open(description);
    if (code == SQLITE_OK) {
        code = real->xOpen(real, name, real_of(file), flags, out_flags);
    }
    if (code == SQLITE_OK) {
        opened->base.pMethods = current->shares_memory() ? &kMethods : &kMethodsWithoutMemory;
        opened->about = new PassingVfs::File(std::move(description));
    }
    return code;
}

int delete_file(sqlite3_vfs*, const char* name, int sync_folder) {
    const int code = current->before_delete(name);
    return code != SQLITE_OK ? code : real->xDelete(real, name, sync_folder);
}

}  // namespace

PassingVfs::PassingVfs(std::string name) : name_(std::move(name)) {
    SEMEL_ASSERT(current == nullptr);
    current = this;
    real = sqlite3_vfs_find(nullptr);
    passing = *real;  // the functions about names and randomness are the same
    passing.zName = name_.c_str();
    passing.szOsFile = static_cast<int>(sizeof(OpenFile)) + real->szOsFile;
    passing.xOpen = open_file;
    passing.xDelete = delete_file;
    SEMEL_ASSERT(sqlite3_vfs_register(&passing, 0) == SQLITE_OK);
}

PassingVfs::~PassingVfs() {
    sqlite3_vfs_unregister(&passing);
    current = nullptr;
}

}  // namespace semel::test
