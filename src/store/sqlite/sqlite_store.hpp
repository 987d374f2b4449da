// The embedded store: one SQLite file, one process, no server.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/schema_versions.hpp"
#include "store/store.hpp"
#include "store/store_clock.hpp"

namespace semel {

struct SqliteOptions {
    std::string path;
    std::function<ClockSample()> clock = StoreClock::real_sample;
    // Off only as the control of a test: a power cut then loses acknowledged commits.
    bool full_sync = true;
    // A registered SQLite VFS, for tests that make the disk fail. Empty: the operating system's.
    std::string vfs = {};
    int writer_cache_kib = 64 * 1024;
    int reader_cache_kib = 8 * 1024;  // each of two
    // Small and often: a large log makes the commit that meets its checkpoint slow.
    int checkpoint_pages = 1000;
    // Of how many claims a segment is made, in one commit, which takes some milliseconds longer.
    std::size_t segment_claims = 4096;
};

// Creates the file (mode 0600) where there is none. Its folder must exist. Only one process at a
// time may have it open.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options);

// What opening a store would do to its schema, also while a process has it; or does it. The file
// must be there.
[[nodiscard]] Result<SchemaVersions> look_at_sqlite_schema(const std::string& path);
[[nodiscard]] Result<SchemaVersions> migrate_sqlite_schema(const std::string& path);

}  // namespace semel
