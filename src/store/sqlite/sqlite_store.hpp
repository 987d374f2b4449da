// The embedded store: one SQLite file, used by one process, without a server. Threads: any. The
// functions block.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/clocks/store_clock.hpp"
#include "store/schema_versions.hpp"
#include "store/store.hpp"

namespace semel {

struct SqliteOptions {
    std::string path;
    std::function<ClockSample()> clock = StoreClock::real_sample;
    // Off only in tests that must show a loss: a power cut then loses acknowledged commits.
    bool full_sync = true;
    // A registered SQLite VFS, for tests with a failing disk. Empty: the operating system's.
    std::string vfs = {};
    int writer_cache_kib = 64 * 1024;
    int reader_cache_kib = 8 * 1024;  // each of two
    // Small, so that each checkpoint is short: a large log slows down the commit that meets its
    // checkpoint.
    int checkpoint_pages = 1000;
    // The number of claims per segment. The commit that writes a segment takes some milliseconds
    // longer.
    std::size_t segment_claims = 4096;
};

// Opens the file, creates it if it is missing (mode 0600), and migrates its schema. Its folder must
// exist.
// Errors, among others:
// - `busy`: another process has the store open
// - `refused`: the file is another program's, or newer than this program
// - `corrupt`: the file is damaged
// Threads: see Store.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options);

// inspect_sqlite_schema() returns what opening the store would do to its schema, and changes
// nothing. It also works while a process has the store open. migrate_sqlite_schema() does it. The
// file must exist.
[[nodiscard]] Result<SchemaVersions> inspect_sqlite_schema(const std::string& path);
[[nodiscard]] Result<SchemaVersions> migrate_sqlite_schema(const std::string& path);

}  // namespace semel
