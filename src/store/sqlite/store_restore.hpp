// restore_store: replaces a store by a backup. Threads: one at a time. Blocks.
//
// Everything after the backup is lost, but no fencing token or id is issued twice. Both grow with
// store time, and the restored store's time starts after that of the replaced store, of the backup,
// and after the wall clock. Jobs that were running and fences that were held at the backup lose
// their owners. A worker from before the restore gets `stale_token`, even if its lease has not
// ended.
#pragma once

#include <string>

#include "store/sqlite/store_file.hpp"

namespace semel::sqlite {

struct RestoreOptions {
    std::string file;       // the backup; not changed
    std::string path;       // of the store
    bool replaces = false;  // an existing store is kept under another name
    Time wall_clock;        // now
};

struct Restored {
    StoreFileFacts facts;    // of the backup
    Time time_mark;          // the store's time continues here
    std::string kept_aside;  // path of the replaced store; empty: none
};

// Restores. After an error the store is unchanged.
// Errors: `busy` if a process has the store open, `refused` if there is a store and `replaces` is
// false, or if the backup cannot be restored.
[[nodiscard]] Result<Restored> restore_store(const RestoreOptions& options);

}  // namespace semel::sqlite
