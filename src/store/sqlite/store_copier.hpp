// StoreCopier: makes consistent copies of a store that is in use, on a separate thread and
// connection. A copy is one snapshot. Commits continue meanwhile, and the log grows, because the
// snapshot needs it.
//
// Errors: `overloaded` if 4 copies are waiting, `stopped` if IsWanted returned false, or the disk's
// error.
// Threads: copy(): any. One thread makes and destroys the object.
#pragma once

#include <atomic>
#include <string>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/store_files.hpp"
#include "store/store.hpp"
#include "store/threads/task_thread.hpp"

namespace semel::sqlite {

class StoreCopier {
public:
    // `options`: those of a reading connection.
    explicit StoreCopier(ConnectionOptions options);
    // Cancels waiting and running copies.
    ~StoreCopier();
    StoreCopier(const StoreCopier&) = delete;
    StoreCopier& operator=(const StoreCopier&) = delete;

    // See Store::copy.
    void copy(IsWanted is_wanted, const Done<OpenFile>& done);

    // Deletes unfinished copies of an earlier process. A copy has a name in the store's folder
    // while it is made. REQUIRES: the store's lock is held.
    static void sweep(const std::string& path);

private:
    [[nodiscard]] Result<OpenFile> make_copy(const IsWanted& is_wanted);

    const ConnectionOptions options_;
    const StoreFiles files_;
    std::atomic<bool> is_ending_ = false;
    TaskThread thread_;  // last: it uses the others
};

}  // namespace semel::sqlite
