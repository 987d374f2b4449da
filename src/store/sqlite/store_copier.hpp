// StoreCopier: consistent copies of a store that is in use, on a thread and a connection of its
// own. A copy is one snapshot: commits go on beside it, and the log keeps what the snapshot needs
// until it is done, so that the log grows meanwhile.
#pragma once

#include <atomic>
#include <string>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/store_files.hpp"
#include "store/store.hpp"
#include "store/task_thread.hpp"

namespace semel::sqlite {

class StoreCopier {
public:
    // `options`: as a reader's.
    explicit StoreCopier(ConnectionOptions options);
    // Gives up what is under way.
    ~StoreCopier();
    StoreCopier(const StoreCopier&) = delete;
    StoreCopier& operator=(const StoreCopier&) = delete;

    // Thread-safe. See Store::copy.
    void copy(IsWanted is_wanted, const Done<OpenFile>& done);

    // Copies are made beside the store, and have a name while they are made. Deletes those that a
    // process which died has left behind.
    // REQUIRES: the store's lock is held.
    static void sweep(const std::string& path);

private:
    [[nodiscard]] Result<OpenFile> make_copy(const IsWanted& is_wanted);

    const ConnectionOptions options_;
    const StoreFiles files_;
    std::atomic<bool> is_ending_ = false;
    TaskThread thread_;  // last: it uses the others
};

}  // namespace semel::sqlite
