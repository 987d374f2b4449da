#include "support/faulty_vfs.hpp"

#include <sqlite3.h>

namespace semel::test {
namespace {

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

}  // namespace

int FaultyVfs::before_read(const File&) {
    return take_one(reads_to_fail) ? SQLITE_IOERR_READ : SQLITE_OK;
}

int FaultyVfs::before_write(const File& file, std::int64_t, std::string_view) {
    if (file.is_log && is_full) {
        return SQLITE_FULL;
    }
    const bool fails =
        file.is_log && writes_before_fail >= 0 && writes_before_fail.fetch_sub(1) == 0;
    return fails ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

int FaultyVfs::before_sync(const File& file) {
    return file.is_log && take_one(syncs_to_fail) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

}  // namespace semel::test
