// Puts a backup in a store's place.
//
// What happened after the backup is forgotten, but fencing tokens and ids are not had twice: both
// grow with store time, and the restored store's time starts behind the store that it replaces, the
// copy, and the wall clock. Jobs that ran when the backup was made, and fences that were held, have
// lost their owners: whoever worked before the restore is late, whatever its lease was.
#pragma once

#include <string>

#include "store/sqlite/store_file.hpp"

namespace semel::sqlite {

struct RestoreOptions {
    std::string file;       // the backup; it stays as it is
    std::string path;       // of the store
    bool replaces = false;  // a store that is there is kept under another name
    Time wall_clock;        // now
};

struct Restored {
    StoreFileFacts facts;    // of the backup
    Time time_mark;          // where the store's time goes on
    std::string kept_aside;  // the store that was there; empty: there was none
};

// After an error the store is as it was. `busy`: a process has it open; `refused`: there is a
// store, or the file is none that could be restored.
[[nodiscard]] Result<Restored> restore_store(const RestoreOptions& options);

}  // namespace semel::sqlite
